import type { OutboxEntry } from '../../../ports/outbox.ts';
import type { Tombstone } from '../../../ports/remote-store.ts';
import type { SendDependencies } from '../send/send-dependencies.ts';
import { localIds } from './local-ids.ts';

/** What others have forgotten is forgotten here, and what they took back may be indexed here again. */
export async function followTombstones(
  deps: SendDependencies,
  storeId: string,
  there: Tombstone[],
): Promise<void> {
  const { outbox, local, notes } = deps;
  const waiting = outbox.get(outbox.waiting());
  const revived = idsOf(waiting, (entry) => entry.revived);
  const tombstones = there.map(({ session_id }) => session_id).filter((id) => !revived.has(id));
  const known = notes?.forgotten() ?? [];
  const untold = idsOf(waiting, (entry) => entry.forgotten !== null);
  const standing = new Set([...tombstones, ...untold]);
  const lifted = known.filter((one) => one.storeId === storeId && !standing.has(one.sessionId));
  notes?.dropForgotten(lifted.map(({ sessionId }) => sessionId));
  const localId = localIds(deps);
  const here = (await local.getSessions(tombstones.map(localId))).map(({ session_id }) => session_id);
  const noted = new Set(known.map(({ sessionId }) => sessionId));
  const fresh = tombstones.filter((id) => !noted.has(id));
  await forgetHere(deps, [...here, ...fresh.map(localId)]);
  notes?.noteForgotten(tombstones, new Date(deps.now()).toISOString(), storeId);
}

/** Another store knows nothing of what was forgotten. */
export function announceForgotten({ outbox, machine, notes }: SendDependencies): void {
  const known = notes?.forgotten() ?? [];
  outbox.add(
    known.map(({ sessionId, forgottenAt }) => ({
      sessionId,
      removed: true,
      forgotten: { machine, forgottenAt },
    })),
  );
}

/** Deletes all that there is of sessions on this machine but the agents' own transcripts, and tells nobody. */
export async function forgetHere(
  { local, notes, removeKept }: SendDependencies,
  sessionIds: string[],
): Promise<void> {
  const ids = [...new Set(sessionIds)].filter((id) => id !== '');
  if (ids.length === 0) return;
  await local.deleteSessions(ids);
  await removeKept?.(ids);
  notes?.forgetSessions(ids);
}

function idsOf(entries: OutboxEntry[], which: (entry: OutboxEntry) => boolean): Set<string> {
  return new Set(entries.filter(which).map(({ sessionId }) => sessionId));
}
