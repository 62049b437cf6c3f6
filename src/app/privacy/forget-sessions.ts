import type { ForgottenSessions } from '../../ports/index-state.ts';
import type { PointStore } from '../../ports/point-store.ts';
import type { SessionArchive } from '../../ports/session-archive.ts';

export interface ForgetDependencies {
  store: Pick<PointStore, 'deleteSessions' | 'checkDeletion'>;
  state: ForgottenSessions;
  archive: Pick<SessionArchive, 'remove'>;
  /** The session's id on this machine; empty for another machine's session. */
  localId: (sessionId: string) => string;
  now: () => number;
}

/**
 * Removes sessions from the index and the archive, and notes that their transcripts must not be indexed again. The note is written
 * first, so that a concurrent indexer sees it. A refused deletion leaves no note: other machines would carry it out later.
 */
export async function forgetSessions(deps: ForgetDependencies, sessionIds: string[]): Promise<void> {
  const { store, state, archive, localId, now } = deps;
  const here = sessionIds.map(localId).filter((id) => id !== '');
  await store.checkDeletion?.(sessionIds);
  state.noteForgotten(sessionIds, new Date(now()).toISOString(), null);
  await store.deleteSessions(sessionIds);
  await archive.remove(here);
  state.forgetSessions(here);
}
