import { SmartForkError } from '../../domain/errors.ts';
import type { Agent } from '../../domain/session/session.ts';
import type { PointStore } from '../../ports/point-store.ts';
import type { ArchiveReader } from '../../ports/session-archive.ts';
import { findSession } from './find-session.ts';

const MOST_SHOWN = 5;

/**
 * The session of an id or unique prefix: from the store, or from what is kept, for an index that was deleted or is broken.
 * @param deps `store` answers null where there is none
 * @throws SmartForkError SESSION_NOT_FOUND, and as the store did when nothing is kept either
 */
export async function findKeptSession(
  deps: { store: () => Promise<PointStore | null>; archives: ArchiveReader[] },
  idOrPrefix: string,
): Promise<{ session_id: string; agent: Agent; machine?: string }> {
  const prefix = idOrPrefix.trim();
  let reason = notFound(prefix);
  try {
    const store = await deps.store();
    if (store !== null) return await findSession(store, prefix);
  } catch (error) {
    if (!(error instanceof SmartForkError)) throw error;
    reason = error;
  }
  for (const archive of prefix === '' ? [] : deps.archives) {
    const ids = await archive.findByPrefix(prefix, MOST_SHOWN);
    const exact = ids.find((id) => id.toLowerCase() === prefix.toLowerCase());
    const id = exact ?? ids[0];
    if (exact === undefined && ids.length > 1) throw severalIds(prefix, ids);
    const kept = id === undefined ? null : await archive.find(id);
    if (kept !== null) return { session_id: kept.sessionId, agent: kept.agent };
  }
  throw reason;
}

function notFound(prefix: string): SmartForkError {
  return new SmartForkError('SESSION_NOT_FOUND', `no session has an id that begins with "${prefix}"`, {
    hint: 'smart-fork sessions lists them; smart-fork index adds new ones.',
  });
}

function severalIds(prefix: string, ids: string[]): SmartForkError {
  return new SmartForkError(
    'SESSION_NOT_FOUND',
    `"${prefix}" is the beginning of several ids: ${ids.join(', ')}`,
    {
      hint: 'Give a few more characters.',
    },
  );
}
