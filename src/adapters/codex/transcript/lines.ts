import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { errorText, SmartForkError } from '../../../domain/errors.ts';
import { nodeCrypto } from '../../../domain/point/hash.ts';
import { digestParts } from '../../jsonl/digest-parts.ts';
import { type LineVisitor, readLines as readPlainLines } from '../../jsonl/read-lines.ts';
import { readParts } from '../../jsonl/read-parts.ts';

/** Like readLines of plain files; offsets in a compressed file (`.zst`) count its decompressed bytes. */
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
    visit(bytes.subarray(start, end), lines, start, true);
    start = end + 1;
  }
  const counts = start < bytes.length && visit(bytes.subarray(start), lines + 1, start, false);
  return counts ? { end: bytes.length, lines: lines + 1 } : { end: Math.min(start, bytes.length), lines };
}

/** The first line of a file; null when it has none within 2 MiB. */
export function readFirstLine(path: string): Buffer | null {
  for (let size = FIRST_BYTES; size <= MOST_FIRST_BYTES; size *= 8) {
    const bytes = isCompressed(path) ? decompress(path) : readBeginning(path, size);
    const end = bytes.indexOf(NEWLINE);
    if (end !== -1) return bytes.subarray(0, end);
    if (bytes.length < size) return bytes;
  }
  return null;
}

/** See TranscriptSource.digest; of a compressed file the decompressed bytes are digested. */
export function digestTranscript(path: string, bytes: number, knownParts: string[]): string[] {
  if (!isCompressed(path)) return digestParts(path, bytes, knownParts);
  const content = decompress(path).subarray(0, bytes);
  const count = Math.ceil(content.length / PART_BYTES);
  return Array.from({ length: count }, (_, part) =>
    nodeCrypto()
      .createHash('sha256')
      .update(content.subarray(part * PART_BYTES, (part + 1) * PART_BYTES))
      .digest('hex'),
  );
}

/** See TranscriptSource.readParts. */
export function* readTranscriptParts(path: string, from: number): Generator<Buffer> {
  if (!isCompressed(path)) return yield* readParts(path, from);
  const content = decompress(path);
  for (let at = from * PART_BYTES; at < content.length; at += PART_BYTES)
    yield content.subarray(at, at + PART_BYTES);
}

export function isCompressed(path: string): boolean {
  return path.endsWith('.zst');
}

/** Whether this Node can read compressed transcripts (22.15 and later). */
export function canDecompress(): boolean {
  return typeof nodeZlib().zstdDecompressSync === 'function';
}

const NEWLINE = 10;
const PART_BYTES = 1024 * 1024;
const FIRST_BYTES = 32 * 1024;
const MOST_FIRST_BYTES = 2 * 1024 * 1024;
/** A small file must not be able to fill the memory. */
const MOST_DECOMPRESSED_BYTES = 1024 * 1024 * 1024;

function decompress(path: string): Buffer {
  if (!canDecompress()) throw unreadable(path, 'it is compressed with zstd');
  try {
    return nodeZlib().zstdDecompressSync(readFileSync(path), { maxOutputLength: MOST_DECOMPRESSED_BYTES });
  } catch (error) {
    throw unreadable(path, errorText(error), error);
  }
}

function readBeginning(path: string, size: number): Buffer {
  try {
    const file = openSync(path, 'r');
    try {
      const buffer = Buffer.allocUnsafe(size);
      return buffer.subarray(0, readSync(file, buffer, 0, size, 0));
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw unreadable(path, errorText(error), error);
  }
}

function unreadable(path: string, reason: string, cause?: unknown): SmartForkError {
  const hint =
    isCompressed(path) && !canDecompress()
      ? 'Run smart-fork with Node 22.15 or newer, or decompress the file with zstd -d.'
      : 'Check that the file exists and that you may read it.';
  return new SmartForkError('TRANSCRIPT_UNREADABLE', `cannot read ${path}: ${reason}`, { hint, cause });
}

/** Loaded for the first compressed file: most homes have none. */
function nodeZlib(): typeof import('node:zlib') {
  return process.getBuiltinModule('node:zlib');
}
