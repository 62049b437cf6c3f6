import type { Run } from './index-run.ts';

/**
 * Removes sessions that were indexed under the name of a file which is now known to be a copy of another session's transcript. Returns
 * whether there were any: a copy is read again under the session's own id, if that has no transcript of its own.
 */
export async function dropOldNames({ deps, copies, isHere }: Run): Promise<boolean> {
  const ids = copies
    .map((path) => deps.state.get(path)?.sessionId)
    .filter((id) => id !== undefined)
    .filter((id) => !isHere(id));
  if (ids.length === 0) return false;
  await deps.store.deleteSessions(ids);
  await deps.archive.remove(ids);
  deps.state.forgetSessions(ids);
  return true;
}
