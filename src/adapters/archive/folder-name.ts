import { nodeCrypto } from '../../domain/text/hash.ts';

export const MANIFEST = 'manifest.json';

/** The name of a session's folder: its id, or a hash of the id if that is not a plain file name. */
export function folderName(sessionId: string): string {
  const plain = /^[\w][\w.-]{0,127}$/.test(sessionId);
  return plain ? sessionId : `_${nodeCrypto().createHash('sha256').update(sessionId).digest('hex')}`;
}
