import { isWithin, limitStore } from '../app/search/limit-store.ts';
import type { ChunkReader } from '../app/sessions/conversation/stored-conversation.ts';
import { findAnySession } from '../app/sessions/find-session.ts';
import { notFound } from '../app/sessions/missing-session.ts';
import { SmartForkError } from '../domain/errors.ts';
import type { SessionPayload } from '../domain/point/point.ts';
import type { PointStore } from '../ports/point-store.ts';
import type { LimitedDependencies } from './tool.ts';

type Deps = Pick<LimitedDependencies, 'parts' | 'limit'>;

/**
 * The store, with the sessions that the client may see. A reader must not create it.
 * @throws SmartForkError STORE_UNAVAILABLE
 */
export async function openStore({ parts, limit }: Deps): Promise<PointStore> {
  if (!parts.storeExists()) {
    throw new SmartForkError('STORE_UNAVAILABLE', 'nothing is indexed on this machine yet', {
      hint: 'Run smart-fork index in a terminal or use the reindex skill; a few hundred sessions take a few seconds.',
    });
  }
  const [store, within] = [await parts.store(), await limit()];
  return within === null ? store : limitStore(store, within);
}

/**
 * The session with this id, or the only one whose id begins with it; read from its transcript if it is not indexed.
 * @throws SmartForkError SESSION_NOT_FOUND, also for one that the client may not see
 */
export async function openSession(deps: Deps, id: string): Promise<SessionPayload> {
  const session = await findAnySession({ ...deps.parts, store: () => openStore(deps) }, id);
  const within = await deps.limit();
  if (within === null || isWithin(within, session)) return session;
  throw notFound(id);
}

/** How many sessions the client may not see. */
export async function countLeftOut({ parts, limit }: Deps): Promise<number> {
  const within = await limit();
  if (within === null || !parts.storeExists()) return 0;
  const store = await parts.store();
  const [all, seen] = await Promise.all([store.count(), limitStore(store, within).count()]);
  return all.sessions - seen.sessions;
}

/** Opens the store only when chunks are read, that is, if a transcript is not on this machine. */
export function chunkReader(deps: Deps): ChunkReader {
  return { getChunks: async (sessionId, from) => (await openStore(deps)).getChunks(sessionId, from) };
}
