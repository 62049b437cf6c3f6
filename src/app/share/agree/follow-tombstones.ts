import type { ForgottenSession } from '../../../ports/index-state.ts';
import type { OutboxEntry } from '../../../ports/outbox.ts';
import type { Tombstone } from '../../../ports/remote-store.ts';
import type { SendDependencies } from '../send/send-dependencies.ts';
import { localIds } from './local-ids.ts';

/**
 * Forgets here what other machines forgot, and allows indexing what they took back. Announces forgotten sessions that this store
 * has not been told about.
 */
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
  const standing = new Set([...tombstones, ...idsOf(waiting, (entry) => entry.forgotten !== null)]);
  const others = known.filter(({ sessionId }) => !standing.has(sessionId));
  announceForgotten(
    deps,
    others.filter((one) => one.storeId !== storeId),
  );
  const lifted = others.filter((one) => one.storeId === storeId);
  notes?.dropForgotten(lifted.map(({ sessionId }) => sessionId));
  const localId = localIds(deps);
  const here = (await local.getSessions(tombstones.map(localId))).map(({ session_id }) => session_id);
  const noted = new Set(known.map(({ sessionId }) => sessionId));
  const fresh = tombstones.filter((id) => !noted.has(id));
  await forgetHere(deps, [...here, ...fresh.map(localId)]);
  notes?.noteForgotten(tombstones, new Date(deps.now()).toISOString(), storeId);
}

/** This store was never told: it is a different store, or the entry was lost together with the index. */
function announceForgotten({ outbox, machine }: SendDependencies, untold: ForgottenSession[]): void {
  outbox.add(
    untold.map(({ sessionId, forgottenAt }) => ({
      sessionId,
      removed: true,
      forgotten: { machine, forgottenAt },
    })),
  );
}

/** Deletes this machine's data about sessions, except the agents' own transcripts. The change came from the server, so nothing is sent back. */
export async function forgetHere(
  { local, notes, removeArchived }: SendDependencies,
  sessionIds: string[],
): Promise<void> {
  const ids = [...new Set(sessionIds)].filter((id) => id !== '');
  if (ids.length === 0) return;
  await local.received.deleteSessions(ids);
  await removeArchived?.(ids);
  notes?.forgetSessions(ids);
}

function idsOf(entries: OutboxEntry[], which: (entry: OutboxEntry) => boolean): Set<string> {
  return new Set(entries.filter(which).map(({ sessionId }) => sessionId));
}
