import type { ChunkReader } from '../app/sessions/conversation/stored-conversation.ts';
import { SmartForkError } from '../domain/errors.ts';
import type { PointStore } from '../ports/point-store.ts';
import type { McpDependencies } from './tool.ts';

/**
 * The store. A reader must not create it.
 * @throws SmartForkError STORE_UNAVAILABLE
 */
export async function openStore({ parts }: Pick<McpDependencies, 'parts'>): Promise<PointStore> {
  if (parts.storeExists()) return parts.store();
  throw new SmartForkError('STORE_UNAVAILABLE', 'nothing is indexed on this machine yet', {
    hint: 'Run smart-fork index in a terminal or use the reindex skill; a few hundred sessions take a few seconds.',
  });
}

/** Opens the store only when chunks are read, that is, if a transcript is not on this machine. */
export function chunkReader(deps: Pick<McpDependencies, 'parts'>): ChunkReader {
  return { getChunks: async (sessionId, from) => (await openStore(deps)).getChunks(sessionId, from) };
}
