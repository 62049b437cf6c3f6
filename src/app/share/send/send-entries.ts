import type { Problem } from '../../../domain/errors.ts';
import type { OutboxEntry } from '../../../ports/outbox.ts';
import { getSession } from '../../sessions/get-session.ts';
import { localIds } from '../agree/local-ids.ts';
import { withTagChange } from '../agree/tag-change.ts';
import { putOffTranscripts } from './put-off-transcripts.ts';
import type { SendDependencies, Sending } from './send-dependencies.ts';
import { sendSessions } from './send-sessions.ts';
import { sendVectors } from './send-vectors.ts';

export interface SentEntries {
  /** Why the server does not take this machine's vectors. */
  vectorsRefused: Problem | null;
  /** The store is not the one that was greeted. */
  isOther: boolean;
}

/** Which transcripts go along. `quiet`: those of sessions that are, or are new; `none`: they are left for later. */
export type TranscriptsToGo = 'all' | 'quiet' | 'none';

/**
 * Sends some entries and takes them out of the outbox, but for transcripts that are left for later. Done again after a failure, at any
 * point of it, it leads to the same end: every step compares or replaces, none adds.
 */
export async function sendEntries(
  deps: SendDependencies,
  entries: OutboxEntry[],
  transcripts: TranscriptsToGo,
): Promise<SentEntries> {
  const { outbox } = deps;
  await sendRemovals(deps, entries);
  const local = localIds(deps);
  const sendings: Sending[] = entries.map((entry) => ({
    entry,
    remoteId: entry.sessionId,
    localId: local(entry.sessionId),
  }));
  const putOff = transcripts === 'all' ? [] : putOffTranscripts(deps, entries, transcripts === 'none');
  const later = new Set(putOff.map(({ sessionId }) => sessionId));
  const complete = sendings.filter(({ entry }) => entry.archive && !later.has(entry.sessionId));
  const {
    sent,
    rewritten,
    isOther,
    vectorsRefused: notEmbedded,
  } = await sendSessions(deps, sendings, complete);
  const vectorsRefused = (await sendVectors(deps, sendings, rewritten)) ?? notEmbedded;
  for (const sending of sendings) await sendTags(deps, sending);
  outbox.done(entries, sent, putOff);
  return { vectorsRefused, isOther };
}

async function sendRemovals({ remote }: SendDependencies, entries: OutboxEntry[]): Promise<void> {
  const tombstones = entries.flatMap(({ sessionId, forgotten }) =>
    forgotten === null
      ? []
      : [{ session_id: sessionId, machine: forgotten.machine, forgotten_at: forgotten.forgottenAt }],
  );
  if (tombstones.length > 0) await remote.forgetSessions(tombstones);
  const removed = entries.filter(({ removed, forgotten }) => removed && forgotten === null);
  if (removed.length > 0) await remote.deleteSessions(removed.map(({ sessionId }) => sessionId));
  const revived = entries.filter((entry) => entry.revived);
  if (revived.length > 0) await remote.liftTombstones(revived.map(({ sessionId }) => sessionId));
}

/** Both machines' changes count; what comes of them is noted here too. */
async function sendTags({ remote, local }: SendDependencies, sending: Sending): Promise<void> {
  const { tags } = sending.entry;
  if (tags === null || tags.add.length + tags.remove.length === 0) return;
  const there = await getSession(remote, sending.remoteId);
  if (there === null) return;
  const merged = withTagChange(there.tags, tags);
  await remote.setTags(sending.remoteId, merged);
  await local.setTags(sending.localId, merged);
}
