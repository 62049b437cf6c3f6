import { closeSync, openSync, readSync } from 'node:fs';
import { nodeCrypto } from '../../domain/point/hash.ts';
import { BLOCK_BYTES, borrowBlock, returnBlock } from './block-pool.ts';

const PART_BYTES = BLOCK_BYTES;

/** See `TranscriptSource.digest`. */
export function digestParts(path: string, bytes: number, knownParts: string[]): string[] {
  const parts = knownParts.slice(0, Math.floor(bytes / PART_BYTES));
  const file = openSync(path, 'r');
  const buffer = borrowBlock();
  try {
    for (let at = parts.length * PART_BYTES; at < bytes; at += PART_BYTES) {
      const length = Math.min(PART_BYTES, bytes - at);
      const read = readSync(file, buffer, 0, length, at);
      if (read === 0) break;
      parts.push(nodeCrypto().createHash('sha256').update(buffer.subarray(0, read)).digest('hex'));
    }
  } finally {
    returnBlock(buffer);
    closeSync(file);
  }
  return parts;
}
