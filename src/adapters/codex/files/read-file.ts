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

/** Like `readLines` for plain files. In a compressed file (`.zst`), offsets refer to the decompressed bytes. */
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

/** The first line of a file; null if it is longer than 2 MiB. */
export function readFirstLine(path: string): Buffer | null {
  for (let size = FIRST_BYTES; size <= MAX_FIRST_BYTES; size *= 8) {
    const bytes = isCompressed(path) ? decompress(path) : readBytes(path, 0, size);
    const end = bytes.indexOf(NEWLINE);
    if (end !== -1) return bytes.subarray(0, end);
    if (bytes.length < size) return bytes;
  }
  return null;
}

/** See TranscriptSource.digest. Digests the decompressed bytes of a compressed file. */
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
const MAX_FIRST_BYTES = 2 * 1024 * 1024;
/** Keeps a small compressed file from filling the memory. */
const MAX_DECOMPRESSED_BYTES = 1024 * 1024 * 1024;

function decompress(path: string): Buffer {
  if (!canDecompress()) throw needsNewerNode(path);
  try {
    return nodeZlib().zstdDecompressSync(readFileSync(path), { maxOutputLength: MAX_DECOMPRESSED_BYTES });
  } catch (error) {
    throw unreadable(path, error);
  }
}

function needsNewerNode(path: string): SmartForkError {
  const hint = 'Run smart-fork with Node 22.15 or later, or decompress the file with zstd -d.';
  return unreadable(path, 'it is compressed with zstd', hint);
}

/** Loaded on demand: most homes have no compressed files. */
function nodeZlib(): typeof import('node:zlib') {
  return process.getBuiltinModule('node:zlib');
}
