import { readFileSync } from 'node:fs';
import type { SmartForkError } from '../../../domain/errors.ts';
import { readBytes, unreadable } from '../../jsonl/open-file.ts';
import { type LineVisitor, readLines as readPlainLines } from '../../jsonl/read-lines.ts';
import {
  digestBuffer,
  digestParts as digestPlainParts,
  partsOf,
  readParts as readPlainParts,
} from '../../jsonl/read-parts.ts';

/** Like `readLines` of plain files. Offsets in a compressed file (`.zst`) count its decompressed bytes. */
export function readLines(
  path: string,
  from: number,
  linesBefore: number,
  visit: LineVisitor,
): { end: number; lines: number } {
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

/** The first line of a file; null when it has none within 2 MiB. */
export function readFirstLine(path: string): Buffer | null {
  for (let size = FIRST_BYTES; size <= MOST_FIRST_BYTES; size *= 8) {
    const bytes = isCompressed(path) ? decompress(path) : readBytes(path, 0, size);
    const end = bytes.indexOf(NEWLINE);
    if (end !== -1) return bytes.subarray(0, end);
    if (bytes.length < size) return bytes;
  }
  return null;
}

/** See TranscriptSource.digest. Of a compressed file the decompressed bytes are digested. */
export function digestParts(path: string, bytes: number, knownParts: string[]): string[] {
  if (!isCompressed(path)) return digestPlainParts(path, bytes, knownParts);
  return digestBuffer(decompress(path).subarray(0, bytes));
}

/** See TranscriptSource.readParts. */
export function* readParts(path: string, from: number): Generator<Buffer> {
  yield* isCompressed(path) ? partsOf(decompress(path), from) : readPlainParts(path, from);
}

export function isCompressed(path: string): boolean {
  return path.endsWith('.zst');
}

/** Whether this Node can read compressed transcripts (22.15 and later). */
export function canDecompress(): boolean {
  return typeof nodeZlib().zstdDecompressSync === 'function';
}

const NEWLINE = 10;
const FIRST_BYTES = 32 * 1024;
const MOST_FIRST_BYTES = 2 * 1024 * 1024;
/** A small file must not be able to fill the memory. */
const MOST_DECOMPRESSED_BYTES = 1024 * 1024 * 1024;

function decompress(path: string): Buffer {
  if (!canDecompress()) throw needsNewerNode(path);
  try {
    return nodeZlib().zstdDecompressSync(readFileSync(path), { maxOutputLength: MOST_DECOMPRESSED_BYTES });
  } catch (error) {
    throw unreadable(path, error);
  }
}

function needsNewerNode(path: string): SmartForkError {
  const hint = 'Run smart-fork with Node 22.15 or newer, or decompress the file with zstd -d.';
  return unreadable(path, 'it is compressed with zstd', hint);
}

/** Loaded for the first compressed file: most homes have none. */
function nodeZlib(): typeof import('node:zlib') {
  return process.getBuiltinModule('node:zlib');
}
