import { withTagChange } from '../../../domain/tags/tag-change.ts';
import type { OutboxEntry } from '../../../ports/outbox.ts';
import { getSession } from '../../sessions/get-session.ts';
import { localIds } from '../agree/local-ids.ts';
import { deferTranscripts } from './defer-transcripts.ts';
import type { SendDependencies, Sending } from './send-dependencies.ts';
import { type SentSessions, sendSessions } from './send-sessions.ts';
import { sendVectors } from './send-vectors.ts';

export type SentEntries = Pick<SentSessions, 'vectorsRefused' | 'isOther'>;

/**
 * Sends entries and removes them from the outbox, except for deferred transcripts. Safe to repeat after a failure at any
 * point: every step compares or replaces, none adds.
 * @param transcripts `idle`: sends those of idle and of new sessions; `none`: defers all.
 */
export async function sendEntries(
  deps: SendDependencies,
  entries: OutboxEntry[],
  transcripts: 'all' | 'idle' | 'none',
): Promise<SentEntries> {
  const { outbox } = deps;
  await sendRemovals(deps, entries);
  const local = localIds(deps);
  const sendings: Sending[] = entries.map((entry) => {
    const localId = local(entry.sessionId);
    return { entry, remoteId: entry.sessionId, localId, unsent: outbox.unsent(localId) };
  });
  const deferred =
    transcripts === 'all' ? new Map() : deferTranscripts(deps, entries, transcripts === 'none');
  const complete = sendings.filter(({ entry, remoteId }) => entry.archive && !deferred.has(remoteId));
  const texts = await sendSessions(deps, sendings, complete);
  const vectors = await sendVectors(deps, sendings, texts);
  for (const sending of sendings) await sendTags(deps, sending);
  outbox.done(
    entries.map(({ sessionId, revision }) => ({
      sessionId,
      revision,
      deferredUntil: deferred.get(sessionId),
      hasVectors: vectors.complete.get(sessionId),
    })),
    texts.sent,
  );
  return { vectorsRefused: vectors.refused ?? texts.vectorsRefused, isOther: texts.isOther };
}

async function sendRemovals(deps: SendDependencies, entries: OutboxEntry[]): Promise<void> {
  const { remote, outbox, notes, now } = deps;
  const tombstones = entries.flatMap(({ sessionId, forgotten }) =>
    forgotten === null
      ? []
      : [{ session_id: sessionId, machine: forgotten.machine, forgotten_at: forgotten.forgottenAt }],
  );
  if (tombstones.length > 0) {
    await remote.forgetSessions(tombstones);
    const told = tombstones.map(({ session_id }) => session_id);
    notes?.noteForgotten(told, new Date(now()).toISOString(), outbox.server.notes().storeId);
  }
  const removed = await ownCopies(
    deps,
    entries.filter((entry) => entry.removed && entry.forgotten === null).map(({ sessionId }) => sessionId),
  );
  await remote.deleteSessions(removed);
  await remote.liftTombstones(entries.filter((entry) => entry.revived).map(({ sessionId }) => sessionId));
}

/** Sessions that this machine is not known to have sent may be another machine's, so the server is asked. */
async function ownCopies(deps: SendDependencies, remoteIds: string[]): Promise<string[]> {
  const { remote, outbox, machine } = deps;
  const sent = outbox.server
    .sent(remoteIds.map(localIds(deps)))
    .filter(({ contentHash }) => contentHash !== '');
  const own = new Set(sent.map(({ remoteId }) => remoteId));
  const there = await remote.getSessions(remoteIds.filter((id) => !own.has(id)));
  for (const session of there) if (session.machine === machine) own.add(session.session_id);
  return [...own];
}

/** Merges the tag changes of both machines, and stores the result here too. */
async function sendTags({ remote, local }: SendDependencies, sending: Sending): Promise<void> {
  const { tags } = sending.entry;
  if (tags === null) return;
  const there = await getSession(remote, sending.remoteId);
  if (there === null) return;
  const merged = withTagChange(there.tags, tags);
  await remote.setTags(sending.remoteId, merged);
  await local.received.setTags(sending.localId, merged);
}
