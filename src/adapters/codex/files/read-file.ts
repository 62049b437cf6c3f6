import { statOf } from '../../files/look-at-path.ts';
import { readBytes } from '../../jsonl/open-file.ts';
import { type LineVisitor, readLines as readPlainLines } from '../../jsonl/read-lines.ts';
import {
  digestBuffer,
  digestParts as digestPlainParts,
  partsOf,
  readParts as readPlainParts,
} from '../../jsonl/read-parts.ts';
import { decompress, decompressFirstLine } from './decompress.ts';

/** A transcript's file or, for a thread with several rollouts, their files, oldest first. Positions count the bytes of all of them. */
export type Rollouts = string | readonly string[];

/** Like `readLines` for plain files. In a compressed file (`.zst`), offsets refer to the decompressed bytes. */
export function readLines(
  files: Rollouts,
  from: number,
  linesBefore: number,
  visit: LineVisitor,
): { end: number; lines: number } {
  if (typeof files === 'string') return readFileLines(files, from, linesBefore, visit);
  let read = { end: from, lines: linesBefore };
  let start = 0;
  for (const [at, path] of files.entries()) {
    const isLast = at === files.length - 1;
    const before = start;
    start += isLast ? 0 : contentSize(path);
    if (!isLast && from >= start) continue;
    let goesOn = true;
    const { end, lines } = readFileLines(
      path,
      Math.max(0, from - before),
      read.lines,
      (line, number, offset, complete) => {
        goesOn = visit(line, number, before + offset, complete || !isLast);
        // Nothing is added to a rollout that another one continues, so its last line counts as it is.
        return goesOn || (!complete && !isLast);
      },
    );
    read = { end: before + end, lines };
    if (!goesOn) break;
  }
  return read;
}

function readFileLines(path: string, from: number, linesBefore: number, visit: LineVisitor) {
  if (!isCompressed(path)) return readPlainLines(path, from, linesBefore, visit);
  const bytes = decompress(path);
  let lines = linesBefore;
  let start = from;
  for (let end = bytes.indexOf(NEWLINE, start); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
    lines += 1;
    const goesOn = visit(bytes.subarray(start, end), lines, start, true);
    start = end + 1;
    if (!goesOn) return { end: start, lines };
  }
  const counts = start < bytes.length && visit(bytes.subarray(start), lines + 1, start, false);
  return counts ? { end: bytes.length, lines: lines + 1 } : { end: Math.min(start, bytes.length), lines };
}

/** The first line of a transcript; null if it is longer than 2 MiB. */
export function readFirstLine(files: Rollouts): Buffer | null {
  const path = typeof files === 'string' ? files : (files[0] ?? '');
  for (let size = FIRST_BYTES; size <= MAX_FIRST_BYTES; size *= 8) {
    const bytes = isCompressed(path) ? decompressFirstLine(path) : readBytes(path, 0, size);
    const end = bytes.indexOf(NEWLINE);
    if (end !== -1) return bytes.subarray(0, end);
    if (bytes.length < size) return bytes;
  }
  return null;
}

/** See TranscriptSource.digest. Digests the decompressed bytes of a compressed file. */
export function digestParts(files: Rollouts, bytes: number, knownParts: string[]): string[] {
  if (typeof files === 'string' && !isCompressed(files)) return digestPlainParts(files, bytes, knownParts);
  return digestBuffer(contentOf(files).subarray(0, bytes));
}

/** See TranscriptBytes.parts. */
export function* readParts(files: Rollouts, from: number): Generator<Buffer> {
  yield* typeof files === 'string' && !isCompressed(files)
    ? readPlainParts(files, from)
    : partsOf(contentOf(files), from);
}

/** The number of bytes in a file, decompressed. */
export function contentSize(path: string): number {
  return isCompressed(path) ? decompress(path).length : (statOf(path)?.size ?? 0);
}

export function isCompressed(path: string): boolean {
  return path.endsWith('.zst');
}

const NEWLINE = 10;
const FIRST_BYTES = 32 * 1024;
const MAX_FIRST_BYTES = 2 * 1024 * 1024;

function contentOf(files: Rollouts): Buffer {
  const paths = typeof files === 'string' ? [files] : files;
  return Buffer.concat(
    paths.flatMap((path) => (isCompressed(path) ? [decompress(path)] : [...readPlainParts(path, 0)])),
  );
}
