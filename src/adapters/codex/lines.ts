import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import * as zlib from 'node:zlib';
import { errorText, SmartForkError } from '../../domain/errors.ts';

export interface LinesRead {
  /** Byte offset behind the last line that ends with a newline. */
  end: number;
  lines: number;
  /** What lies behind `end`: a line that is still being written, or one that never got its newline. */
  rest: Buffer;
}

/**
 * Calls `onLine` for each line that ends with a newline: its bytes (a view that is overwritten after the call),
 * its number counted from 1 at `from`, and its byte offset. Of a line of more than 64 MiB only the last part arrives.
 * Offsets in a compressed file count its decompressed bytes.
 */
export function readLines(
  path: string,
  from: number,
  onLine: (line: Buffer, number: number, offset: number) => void,
): LinesRead {
  const file = openBytes(path);
  try {
    return splitLines(file.read, skipOwedNewline(file.read, from), onLine);
  } finally {
    file.close();
  }
}

/** The first line of a file, or null when it has none within 4 MiB. */
export function readFirstLine(path: string): Buffer | null {
  const file = openBytes(path);
  try {
    for (let size = 64 * 1024; size <= 4 * 1024 * 1024; size *= 8) {
      const buffer = Buffer.allocUnsafe(size);
      const filled = file.read(buffer, 0, 0);
      const end = buffer.subarray(0, filled).indexOf(NEWLINE);
      if (end !== -1 || filled < size) return buffer.subarray(0, end === -1 ? filled : end);
    }
    return null;
  } finally {
    file.close();
  }
}

/** Whether this Node can read `.zst` files (22.15 and later). */
export function canDecompress(): boolean {
  return typeof zlib.zstdDecompressSync === 'function';
}

type ReadBytes = (target: Buffer, at: number, position: number) => number;

const NEWLINE = 10;
const CHUNK_BYTES = 1024 * 1024;
const MAX_LINE_BYTES = 64 * 1024 * 1024;
const MAX_DECOMPRESSED_BYTES = 1024 * 1024 * 1024;

function openBytes(path: string): { read: ReadBytes; close(): void } {
  try {
    if (path.endsWith('.zst')) return openCompressed(path);
    const descriptor = openSync(path, 'r');
    return {
      read: (target, at, position) => readSync(descriptor, target, at, target.length - at, position),
      close: () => closeSync(descriptor),
    };
  } catch (error) {
    throw unreadable(path, error);
  }
}

function openCompressed(path: string): { read: ReadBytes; close(): void } {
  if (!canDecompress()) throw new Error('zstd needs Node 22.15 or newer');
  const bytes = zlib.zstdDecompressSync(readFileSync(path), { maxOutputLength: MAX_DECOMPRESSED_BYTES });
  return {
    read: (target, at, position) => bytes.copy(target, at, Math.min(position, bytes.length)),
    close: () => undefined,
  };
}

function unreadable(path: string, cause: unknown): SmartForkError {
  const hint = path.endsWith('.zst')
    ? 'run smart-fork with Node 22.15 or newer, or decompress the file with zstd -d'
    : 'check that the file exists and that you may read it';
  return new SmartForkError('TRANSCRIPT_UNREADABLE', `cannot read ${path}: ${errorText(cause)}`, { hint, cause });
}

/**
 * A line that was read without its newline may have got it since: then the newline at `from` ends that line
 * and is no line of its own.
 */
function skipOwedNewline(read: ReadBytes, from: number): number {
  if (from === 0) return 0;
  const around = Buffer.alloc(3);
  const filled = read(around, 0, from - 1);
  if (filled < 2 || around[0] === NEWLINE) return from;
  if (around[1] === NEWLINE) return from + 1;
  return around[1] === 13 && around[2] === NEWLINE ? from + 2 : from;
}

function splitLines(
  read: ReadBytes,
  from: number,
  onLine: (line: Buffer, number: number, offset: number) => void,
): LinesRead {
  let buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  let filled = 0;
  let position = from;
  let lineStart = from;
  let tooLong = false;
  let lines = 0;
  for (let count = read(buffer, 0, position); count > 0; count = read(buffer, filled, position)) {
    position += count;
    const view = buffer.subarray(0, filled + count);
    const viewStart = position - view.length;
    let at = 0;
    for (let end = view.indexOf(NEWLINE, filled); end !== -1; end = view.indexOf(NEWLINE, at)) {
      onLine(view.subarray(at, end), ++lines, lineStart);
      tooLong = false;
      at = end + 1;
      lineStart = viewStart + at;
    }
    filled = view.length - at;
    buffer.copyWithin(0, at, view.length);
    if (filled >= MAX_LINE_BYTES || tooLong) {
      tooLong = true;
      filled = 0;
    } else if (filled === buffer.length) {
      buffer = Buffer.concat([buffer, Buffer.allocUnsafe(buffer.length)]);
    }
  }
  return { end: lineStart, lines, rest: tooLong ? Buffer.alloc(0) : Buffer.from(buffer.subarray(0, filled)) };
}
