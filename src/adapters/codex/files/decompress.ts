import { Decompress } from 'fzstd';
import { unreadable } from '../../jsonl/open-file.ts';
import { readRegular } from '../../system/regular-file.ts';

/** The content of a file compressed with zstd. Node can decompress since 22.15; before that, and for a file's beginning, a library does. */
export function decompress(path: string): Buffer {
  try {
    const bytes = readRegular(path);
    const zlib = nodeZlib();
    if (typeof zlib.zstdDecompressSync === 'function')
      return zlib.zstdDecompressSync(bytes, { maxOutputLength: mostOf(bytes) });
    return inflate(bytes, () => false);
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** The first line of such a file, or what there is of it; decompresses no more than that. */
export function decompressFirstLine(path: string): Buffer {
  try {
    return inflate(readRegular(path), (piece) => piece.includes(NEWLINE));
  } catch (error) {
    throw unreadable(path, error);
  }
}

const NEWLINE = 10;
const MAX_BYTES = 1024 * 1024 * 1024;
/** Transcripts rarely shrink to a fiftieth. */
const MAX_EXPANSION = 100;
const ALWAYS_FINE = 64 * 1024 * 1024;
const STEP_BYTES = 64 * 1024;

/** Keeps a small file from filling the memory. */
function mostOf({ length }: Buffer): number {
  return Math.min(MAX_BYTES, Math.max(ALWAYS_FINE, MAX_EXPANSION * length));
}

/** Decompresses in steps, until a piece is the last one wanted. */
function inflate(bytes: Buffer, isLast: (piece: Uint8Array) => boolean): Buffer {
  const pieces: Uint8Array[] = [];
  const most = mostOf(bytes);
  let length = 0;
  let isDone = bytes.length === 0;
  const stream = new Decompress((piece) => {
    // The library reuses its memory for the next piece.
    pieces.push(Uint8Array.from(piece));
    length += piece.length;
    if (length > most) throw new RangeError(`it unpacks to more than ${most} bytes`);
    isDone ||= isLast(piece);
  });
  for (let at = 0; at < bytes.length && !isDone; at += STEP_BYTES)
    stream.push(bytes.subarray(at, at + STEP_BYTES), at + STEP_BYTES >= bytes.length);
  return Buffer.concat(pieces);
}

/** Loaded on demand: most homes have no compressed files. */
function nodeZlib(): typeof import('node:zlib') {
  return process.getBuiltinModule('node:zlib');
}
