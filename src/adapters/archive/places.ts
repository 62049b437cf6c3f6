import { nodeCrypto } from '../../domain/point/hash.ts';

export const MANIFEST = 'manifest.json';

/** The folder of a session: its id, or the hash of one that makes no plain name. */
export function folderName(sessionId: string): string {
  const plain = /^[\w][\w.-]{0,127}$/.test(sessionId);
  return plain ? sessionId : `_${nodeCrypto().createHash('sha256').update(sessionId).digest('hex')}`;
}
