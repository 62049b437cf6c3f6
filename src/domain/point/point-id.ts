import { nodeCrypto } from '../text/hash.ts';
import type { PointType } from './point.ts';

/** RFC 4122's namespace for DNS names. */
const DNS_NAMESPACE = Buffer.from('6ba7b8109dad11d180b400c04fd430c8', 'hex');

/** `uuid5(DNS, "{session_id}_{type}_{index}")` or `…_session`: the same on every machine. */
export function pointId(sessionId: string, type: PointType, index = 0): string {
  return uuid5(type === 'session' ? `${sessionId}_session` : `${sessionId}_${type}_${index}`);
}

/**
 * `{session_id}_archive` for a transcript's manifest, `{session_id}_archive_{i}_{digest}` for a part. Changed bytes make a new
 * point, so no part changes while it is read.
 */
export function archiveId(sessionId: string, part: { index: number; digest: string } | null = null): string {
  return uuid5(`${sessionId}_archive${part === null ? '' : `_${part.index}_${part.digest}`}`);
}

/** A UUID version 5 (RFC 4122, section 4.3) in the DNS namespace. */
export function uuid5(name: string): string {
  const digest = nodeCrypto().createHash('sha1').update(DNS_NAMESPACE).update(name).digest().subarray(0, 16);
  digest.writeUInt8((digest.readUInt8(6) & 0x0f) | 0x50, 6);
  digest.writeUInt8((digest.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = digest.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
