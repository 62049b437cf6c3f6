import type { Row } from '../database/open-database.ts';

/** Ids of points and digests of texts are stored as bytes, which takes half the space. A digest of another form stays a text. */
export function toStoredId(id: string): Uint8Array {
  return Buffer.from(id.replaceAll('-', ''), 'hex');
}

/** The `id` of a point's row. */
export function pointIdOf({ id }: Row): string {
  const hex = hexOf(id as Uint8Array);
  return [[0, 8], [8, 12], [12, 16], [16, 20], [20]].map(([from, to]) => hex.slice(from, to)).join('-');
}

export function toStoredHash(hash: string): Uint8Array | string {
  return SHA_256.test(hash) ? Buffer.from(hash.slice(PREFIX.length), 'hex') : hash;
}

/** The `content_hash` of a point's row. */
export function hashOf({ content_hash }: Row): string {
  return content_hash instanceof Uint8Array ? PREFIX + hexOf(content_hash) : String(content_hash);
}

const PREFIX = 'sha256:';
const SHA_256 = /^sha256:[0-9a-f]{64}$/;

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}
