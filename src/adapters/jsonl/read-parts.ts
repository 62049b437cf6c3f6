import { nodeCrypto } from '../../domain/text/hash.ts';
import { BLOCK_BYTES, borrowBlock, returnBlock } from './block-pool.ts';
import { type OpenFile, openFile } from './open-file.ts';

const PART_BYTES = BLOCK_BYTES;

/** See `TranscriptSource.readParts`. Each part is a buffer of its own. */
export function* readParts(path: string, from: number): Generator<Buffer> {
  const file = openFile(path);
  try {
    // Ignores bytes appended during the read.
    for (let at = from * PART_BYTES; at < file.size; at += PART_BYTES) {
      const part = readAt(file, at, Math.min(PART_BYTES, file.size - at));
      yield part;
      if (part.length < PART_BYTES) return;
    }
  } finally {
    file.close();
  }
}

/** See `TranscriptSource.digest`. */
export function digestParts(path: string, bytes: number, knownParts: string[]): string[] {
  const parts = knownParts.slice(0, Math.floor(bytes / PART_BYTES));
  const file = openFile(path);
  const block = borrowBlock();
  try {
    for (let at = parts.length * PART_BYTES; at < bytes; at += PART_BYTES) {
      const read = file.read(block.subarray(0, Math.min(PART_BYTES, bytes - at)), at);
      if (read === 0) break;
      parts.push(digest(block.subarray(0, read)));
    }
  } finally {
    returnBlock(block);
    file.close();
  }
  return parts;
}

/** The parts of lines, as if they were a file. */
export function* partsOfLines(lines: Iterable<string>, from: number): Generator<Buffer> {
  let held: Buffer[] = [];
  let length = 0;
  let index = 0;
  for (const line of lines) {
    held.push(Buffer.from(`${line}\n`));
    length += held.at(-1)?.length ?? 0;
    if (length < PART_BYTES) continue;
    const all = Buffer.concat(held);
    let at = 0;
    for (; length - at >= PART_BYTES; at += PART_BYTES, index++)
      if (index >= from) yield all.subarray(at, at + PART_BYTES);
    held = [all.subarray(at)];
    length -= at;
  }
  if (length > 0 && index >= from) yield Buffer.concat(held);
}

export function digestLines(lines: Iterable<string>): string[] {
  return Array.from(partsOfLines(lines, 0), digest);
}

/** The same for a file in memory. */
export function digestBuffer(content: Buffer): string[] {
  return Array.from(partsOf(content, 0), digest);
}

export function* partsOf(content: Buffer, from: number): Generator<Buffer> {
  for (let at = from * PART_BYTES; at < content.length; at += PART_BYTES)
    yield content.subarray(at, at + PART_BYTES);
}

function readAt(file: OpenFile, offset: number, length: number): Buffer {
  const buffer = Buffer.allocUnsafe(length);
  let held = 0;
  while (held < length) {
    const read = file.read(buffer.subarray(held), offset + held);
    if (read === 0) break;
    held += read;
  }
  return buffer.subarray(0, held);
}

function digest(part: Buffer): string {
  return nodeCrypto().createHash('sha256').update(part).digest('hex');
}
