import type { Group, IndexDependencies, Run } from './index-run.ts';

/** Writes the queued changes; waits if too many writes are in progress. */
export async function flush(run: Run): Promise<void> {
  const { group, writing } = run;
  run.group = [];
  run.groupSince = run.deps.now();
  if (group.length > 0) {
    const write = writeGroup(run, group);
    // The next await reports the error; until then the rejection must count as handled.
    write.catch(() => undefined);
    writing.push(write);
  }
  while (writing.length > GROUPS_UNDER_WAY) await writing.shift();
  // Lets Ctrl-C be handled between two groups.
  await new Promise((resolve) => setImmediate(resolve));
}

/** Writes the queued changes and waits for all writes. */
export async function settle(run: Run): Promise<void> {
  await flush(run);
  while (run.writing.length > 0) await run.writing.shift();
}

const GROUPS_UNDER_WAY = 4;

async function writeGroup(run: Run, group: Group): Promise<void> {
  const { deps, report } = run;
  const { conflicts } = await deps.writer.write(group.map(({ prepared }) => prepared.change));
  const written = group.filter(({ file }) => !conflicts.includes(file.sessionId));
  const indexedAt = new Date(deps.now()).toISOString();
  deps.state.put(written.map(({ prepared }) => ({ ...prepared.cursor, indexedAt })));
  const finished = written.filter(({ prepared }) => !prepared.goesOn);
  const gone = finished.filter(({ file }) => file.onlyPrompts).length;
  report.indexed += finished.length - gone;
  report.onlyPrompts += gone;
  report.points += written.reduce((total, { prepared }) => total + prepared.points, 0);
  run.conflicts.push(...group.filter((one) => !written.includes(one)).map(({ file }) => file));
  await dropForgotten(deps, written);
}

/** Drops sessions forgotten during the read. `forget` records before it deletes, so one of the two sees the other. */
async function dropForgotten({ store, state, forgotten }: IndexDependencies, written: Group): Promise<void> {
  const noted = forgotten();
  const ids = written.map(({ file }) => file.sessionId).filter((id) => noted.has(id));
  if (ids.length === 0) return;
  await store.deleteSessions(ids);
  state.forgetSessions(ids);
}
