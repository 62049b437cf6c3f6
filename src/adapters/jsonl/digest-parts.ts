import { closeSync, openSync, readSync } from 'node:fs';
import { nodeCrypto } from '../../domain/hash.ts';

const PART_BYTES = 1024 * 1024;

/** See `TranscriptSource.digest`. */
export function digestParts(path: string, bytes: number, knownParts: string[]): string[] {
  const parts = knownParts.slice(0, Math.floor(bytes / PART_BYTES));
  const buffer = Buffer.allocUnsafe(Math.min(PART_BYTES, Math.max(1, bytes)));
  const file = openSync(path, 'r');
  try {
    for (let at = parts.length * PART_BYTES; at < bytes; at += PART_BYTES) {
      const length = Math.min(PART_BYTES, bytes - at);
      const read = readSync(file, buffer, 0, length, at);
      if (read === 0) break;
      parts.push(nodeCrypto().createHash('sha256').update(buffer.subarray(0, read)).digest('hex'));
    }
  } finally {
    closeSync(file);
  }
  return parts;
}
