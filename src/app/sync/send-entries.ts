import { forEachParallel } from '../../domain/for-each-parallel.ts';
import type { Refusal } from '../../ports/embedding-refusals.ts';
import type { OutboxEntry, PutOff, SentSession } from '../../ports/outbox.ts';
import { putOffTranscripts } from './put-off-transcripts.ts';
import type { SendDependencies, Sending } from './send-dependencies.ts';
import { sendTexts } from './send-texts.ts';
import { sendVectors } from './send-vectors.ts';
import { withTagChange } from './tag-change.ts';

export interface SentEntries {
  /** Words on the server are to be counted anew. */
  stale: boolean;
  /** Why the server does not take this machine's vectors. */
  vectorsRefused: Refusal | null;
}

/** Transcripts that are sent at a time: one is compressed while others are under way. */
const SIDE_BY_SIDE = 4;

/**
 * Sends some entries and takes them out of the outbox, but for transcripts that are put off (`patient`). Done again after a failure, at any point of it, it leads to the same
 * end: every step compares or replaces, none adds.
 */
export async function sendEntries(
  deps: SendDependencies,
  entries: OutboxEntry[],
  patient: boolean,
): Promise<SentEntries> {
  await sendRemovals(deps, entries);
  const local = localIds(deps);
  const sendings: Sending[] = entries.map((entry) => ({
    entry,
    remoteId: entry.sessionId,
    localId: local(entry.sessionId),
  }));
  const texts = sendings.filter(({ entry }) => entry.whole || entry.points.length + entry.deletes.length > 0);
  const { sent, rewritten, stale, vectorsRefused: notEmbedded } = await sendTexts(deps, texts);
  const vectorsRefused = (await sendVectors(deps, sendings, rewritten)) ?? notEmbedded;
  for (const sending of sendings) await sendTags(deps, sending);
  const putOff = patient ? putOffTranscripts(deps, entries) : [];
  await sendArchives(deps, sendings, sent, putOff);
  deps.outbox.done(entries, sent, putOff);
  return { stale, vectorsRefused };
}

/** What a session's id is in the local store. */
export function localIds({ outbox }: Pick<SendDependencies, 'outbox'>): (remoteId: string) => string {
  const renamed = new Map(outbox.renamed().map(({ sessionId, remoteId }) => [remoteId, sessionId]));
  return (id) => renamed.get(id) ?? id;
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

async function sendArchives(
  deps: SendDependencies,
  sendings: Sending[],
  sent: SentSession[],
  putOff: PutOff[],
): Promise<void> {
  const later = new Set(putOff.map(({ sessionId }) => sessionId));
  const due = sendings.filter(({ entry }) => entry.archive && !later.has(entry.sessionId));
  await forEachParallel(due, SIDE_BY_SIDE, (sending) => sendArchive(deps, sending, sent));
}

/** Only of the copy that counts on the server. */
async function sendArchive(
  { sendArchive: send, local, outbox }: SendDependencies,
  { entry, localId, remoteId }: Sending,
  sent: SentSession[],
): Promise<void> {
  if (send === undefined) return;
  const session = await local.getSession(localId);
  if (session === null) return;
  const isOurs = [...sent, ...outbox.sent([localId])].find(
    (one) => one.sessionId === localId && one.remoteId === remoteId,
  );
  if (isOurs?.contentHash === session.content_hash) await send({ session, remoteId, whole: entry.whole });
}

/** Both machines' changes count; what comes of them is noted here too. */
async function sendTags({ remote, local }: SendDependencies, sending: Sending): Promise<void> {
  const { tags } = sending.entry;
  if (tags === null || tags.add.length + tags.remove.length === 0) return;
  const there = await remote.getSession(sending.remoteId);
  if (there === null) return;
  const merged = withTagChange(there.tags, tags);
  await remote.setTags(sending.remoteId, merged);
  await local.setTags(sending.localId, merged);
}
