import { SmartForkError } from '../../domain/errors.ts';
import type { ForgottenSessions } from '../../ports/index-state.ts';
import type { ContextFiles, TranscriptFiles } from '../../ports/machine.ts';
import type { LocalStore } from '../../ports/outbox.ts';
import type { PointStore } from '../../ports/point-store.ts';
import type { SessionArchive } from '../../ports/session-archive.ts';

export interface ForgetDependencies {
  store: Pick<PointStore, 'deleteSessions'>;
  state: ForgottenSessions;
  archive: Pick<SessionArchive, 'remove'>;
  contexts: Pick<ContextFiles, 'removeOf'>;
  transcripts: Pick<TranscriptFiles, 'removeAbandoned'>;
  /** The session's id on this machine; empty for another machine's session. */
  localId: (sessionId: string) => string;
  now: () => number;
}

/**
 * Removes sessions from the archive and the index, and records that their transcripts must not be indexed again. The record is written
 * first, so that a concurrent indexer sees it, and so that `finishForgetting` can complete what a kill interrupts. The archive comes
 * before the index: only the archive has the transcript unredacted, and while the index still lists the session, the command can be
 * repeated. If the archive or the index refuses, the record is withdrawn: other machines would otherwise carry it out later. Resolves to
 * false if the deleted text may still be in a database's log because another process is reading.
 */
export async function forgetSessions(deps: ForgetDependencies, sessionIds: string[]): Promise<boolean> {
  const { store, state, archive, localId, now } = deps;
  const here = sessionIds.map(localId).filter((id) => id !== '');
  const noted = new Set(state.forgotten().map(({ sessionId }) => sessionId));
  state.noteForgotten(sessionIds, new Date(now()).toISOString(), null);
  try {
    await archive.remove(here);
    await store.deleteSessions(sessionIds);
  } catch (error) {
    state.dropForgotten(sessionIds.filter((id) => !noted.has(id)));
    throw error;
  }
  return removeRest(deps, here, sessionIds);
}

export interface FinishDependencies extends Omit<ForgetDependencies, 'store' | 'localId' | 'now'> {
  /** This machine's store. */
  store: Pick<LocalStore, 'getSessions' | 'listDamaged' | 'deleteSessions'>;
  /** Local ids of forgotten sessions. */
  forgotten: () => Set<string>;
}

/** Removes the remaining data of forgotten sessions, in case `forget` was interrupted. */
export async function finishForgetting(deps: FinishDependencies): Promise<void> {
  const { store, archive, forgotten } = deps;
  const ids = [...forgotten()].filter((id) => id !== '');
  if (ids.length === 0) return;
  const found = [...(await store.getSessions(ids)), ...(await store.listDamaged({ sessionIds: ids }))];
  const left = found.map(({ session_id }) => session_id);
  try {
    await archive.remove(ids);
    await store.deleteSessions(left);
    await removeRest(deps, ids);
  } catch (error) {
    // Indexing continues without the archive, and the next run tries again. `forget` has reported the error.
    if (!(error instanceof SmartForkError)) throw error;
  }
}

/** A worker may have archived a session again before it left the index. */
async function removeRest(
  {
    state,
    archive,
    contexts,
    transcripts,
  }: Pick<ForgetDependencies, 'state' | 'archive' | 'contexts' | 'transcripts'>,
  here: string[],
  chosen = here,
): Promise<boolean> {
  await archive.remove(here);
  contexts.removeOf(here);
  transcripts.removeAbandoned();
  return state.forgetSessions(here, chosen);
}
