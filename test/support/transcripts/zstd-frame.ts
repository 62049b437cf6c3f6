const MAGIC = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);
/** No checksum, no content size; a window of 1 MiB. */
const HEADER = Buffer.from([0x00, 0x50]);
const MAX_BLOCK = 128 * 1024;

/** A zstd frame of uncompressed blocks (RFC 8878), because Node can compress only from 22.15 on. */
export function zstdFrame(content: Buffer): Buffer {
  const parts: Uint8Array[] = [MAGIC, HEADER];
  for (let at = 0; at === 0 || at < content.length; at += MAX_BLOCK) {
    const block = content.subarray(at, at + MAX_BLOCK);
    const head = Buffer.alloc(3);
    head.writeUIntLE((block.length << 3) | (at + MAX_BLOCK >= content.length ? 1 : 0), 0, 3);
    parts.push(head, block);
  }
  return Buffer.concat(parts);
}

/** A frame of a few bytes that unpacks to this many blocks of 128 KiB, each of one repeated space. */
export function zstdBomb(blocks: number): Buffer {
  const repeated = Buffer.alloc(4, ' ');
  repeated.writeUIntLE((MAX_BLOCK << 3) | 2, 0, 3);
  const last = Buffer.from([1, 0, 0]);
  return Buffer.concat([MAGIC, HEADER, ...new Array(blocks).fill(repeated), last]);
}
