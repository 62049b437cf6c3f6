import type { ForgottenSessions } from '../../ports/index-state.ts';
import type { PointStore } from '../../ports/point-store.ts';
import type { SessionArchive } from '../../ports/session-archive.ts';

export interface ForgetDependencies {
  store: Pick<PointStore, 'deleteSessions'>;
  state: ForgottenSessions;
  archive: Pick<SessionArchive, 'remove'>;
  /** What a session is called on this machine; empty when it is another machine's. */
  localId: (sessionId: string) => string;
  now: () => number;
}

/**
 * Takes sessions out of everything but the agents' own transcripts, from which they are not indexed again. The note comes first:
 * whoever indexes one of them at this moment finds it afterwards. Nothing is noted of a deletion that is refused: the note would be
 * carried out later, on every machine.
 */
export async function forgetSessions(deps: ForgetDependencies, sessionIds: string[]): Promise<void> {
  const { store, state, archive, localId, now } = deps;
  const here = sessionIds.map(localId).filter((id) => id !== '');
  state.noteForgotten(sessionIds, new Date(now()).toISOString(), null);
  await store.deleteSessions(sessionIds);
  await archive.remove(here);
  state.forgetSessions(here);
}
