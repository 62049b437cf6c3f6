import { type Problem, SmartForkError } from '../../../domain/errors.ts';
import type { SessionPayload } from '../../../domain/point/point.ts';
import { copyId } from '../../../domain/session/session-id.ts';
import type { SentSession } from '../../../ports/outbox.ts';
import type { SessionChange } from '../../../ports/point-store.ts';
import type { TranscriptsToSend } from '../../../ports/remote-store.ts';
import { compareCopies } from '../agree/compare-copies.ts';
import { forgetHere } from '../agree/follow-tombstones.ts';
import { buildChange, buildWholeChange, type Growth } from './build-change.ts';
import type { SendDependencies, Sending } from './send-dependencies.ts';

/** How often a session is compared again because another machine wrote it in the meantime. */
const ROUNDS = 4;

export interface SentSessions {
  /** What the server has now. */
  sent: SentSession[];
  /** Sessions that the server did not have. */
  inserted: Set<string>;
  /** Sessions whose texts were compared and sent, so that it is unknown which vectors the server still has. */
  rewritten: Set<string>;
  /** Why a server that embeds left texts without vectors. */
  vectorsRefused: Problem | null;
  /** The store is a different one than at the last handshake. */
  isOther: boolean;
}

/**
 * Sends sessions, their texts and transcripts. The server checks in the write whether it has the state that this machine expects. Copies
 * are compared only if it has a different state, or if nothing is known about it.
 * @param complete sessions whose transcripts and lexical vectors are sent too.
 */
export async function sendSessions(
  deps: SendDependencies,
  sendings: Sending[],
  complete: Sending[],
): Promise<SentSessions> {
  const result: SentSessions = {
    sent: [],
    inserted: new Set(),
    rewritten: new Set(),
    vectorsRefused: null,
    isOther: false,
  };
  const transcripts = toPrepare(deps, complete);
  let open = sendings.filter((one) => one.entry.texts || complete.includes(one));
  for (let round = 1; open.length > 0; round += 1) {
    if (round > ROUNDS) throw keepsChanging(open);
    const changes = await planChanges(deps, open, complete, round > 1, result);
    const conflicts = await write(deps, open, changes, transcripts, result);
    for (const { session } of changes) {
      const { session_id, content_hash } = session.payload;
      if (conflicts.includes(session_id)) continue;
      const sending = open.find(({ remoteId }) => remoteId === session_id);
      if (sending === undefined) continue;
      result.sent.push({ sessionId: sending.localId, remoteId: session_id, contentHash: content_hash });
    }
    const forgotten = await dropForgotten(deps, open, conflicts);
    open = open.filter(({ remoteId }) => conflicts.includes(remoteId) && !forgotten.has(remoteId));
  }
  return result;
}

/** A transcript to send together with its session. */
interface Transcript extends Sending {
  /** An earlier attempt may have left parts there that no manifest names. */
  again: boolean;
}

/** By id on the server. */
function toPrepare(
  { outbox, prepareTranscript }: SendDependencies,
  withTranscript: Sending[],
): Map<string, Transcript> {
  if (prepareTranscript === undefined || withTranscript.length === 0) return new Map();
  const { begun } = outbox.server.notes();
  const again = new Set(begun);
  outbox.server.note({ begun: [...new Set([...begun, ...withTranscript.map(({ remoteId }) => remoteId)])] });
  return new Map(withTranscript.map((one) => [one.remoteId, { ...one, again: again.has(one.remoteId) }]));
}

/** @returns ids of sessions and transcripts that conflicted. */
async function write(
  deps: SendDependencies,
  open: Sending[],
  changes: SessionChange[],
  transcripts: Map<string, Transcript>,
  result: SentSessions,
): Promise<string[]> {
  const { remote, outbox } = deps;
  const wanted = open.flatMap(({ remoteId }) => transcripts.get(remoteId) ?? []);
  const along = await transcriptsAlong(deps, wanted, changes, result);
  if (changes.length + along.of.length === 0) return [];
  const { superseded: before, storeId: known } = outbox.server.notes();
  const written = await remote.send(changes, {
    superseded: before,
    transcripts: along.of.length > 0 ? along : undefined,
  });
  const { storeId, conflicts, superseded, vectorsRefused = null } = written;
  result.vectorsRefused ??= vectorsRefused;
  result.isOther ||= storeId !== null && storeId !== known;
  if (before.length + superseded.length > 0) outbox.server.note({ superseded });
  return conflicts;
}

/** Only for sessions whose copy on the server is this machine's, or becomes so with this write. */
async function transcriptsAlong(
  { local, outbox, prepareTranscript }: SendDependencies,
  wanted: Transcript[],
  changes: SessionChange[],
  { sent }: SentSessions,
): Promise<TranscriptsToSend> {
  const localIds = wanted.map(({ localId }) => localId);
  const sessions = new Map((await local.getSessions(localIds)).map((one) => [one.session_id, one]));
  const counting = new Map(
    changes.map(({ session: { payload } }) => [payload.session_id, payload.content_hash]),
  );
  for (const { remoteId, contentHash } of [...sent.toReversed(), ...outbox.server.sent(localIds)])
    if (!counting.has(remoteId)) counting.set(remoteId, contentHash);
  const ours = new Map(
    wanted.flatMap((transcript) => {
      const session = sessions.get(transcript.localId);
      if (session === undefined || session.content_hash !== counting.get(transcript.remoteId)) return [];
      return [[transcript.remoteId, { transcript, session }] as const];
    }),
  );
  return {
    of: [...ours].map(([sessionId, { session }]) => ({ sessionId, contentHash: session.content_hash })),
    async prepare(remoteId, manifest) {
      const one = ours.get(remoteId);
      if (one === undefined || prepareTranscript === undefined) return null;
      const { again, entry } = one.transcript;
      // A failure after this point leaves parts behind.
      one.transcript.again = true;
      return prepareTranscript({ session: one.session, remoteId, whole: entry.whole, again }, manifest);
    },
  };
}

/** Changes for the sessions that have something to send. Sessions that turn out to need no change are added to `result`. */
async function planChanges(
  deps: SendDependencies,
  open: Sending[],
  complete: Sending[],
  compare: boolean,
  result: SentSessions,
): Promise<SessionChange[]> {
  const sessions = new Map(
    (await deps.local.getSessions(open.map(({ localId }) => localId))).map((one) => [one.session_id, one]),
  );
  const known = new Map(deps.outbox.server.sent([...sessions.keys()]).map((one) => [one.sessionId, one]));
  const growthOf = ({ entry, localId, remoteId, unsent }: Sending): Growth | null => {
    const expected = known.get(localId)?.contentHash ?? '';
    const isKnown = expected !== '' && !compare && !entry.whole;
    // If the session has another id there, its points do too.
    return isKnown && unsent.texts !== null && remoteId === localId
      ? { points: unsent.texts, expected }
      : null;
  };
  // Transcripts and lexical vectors are sent only if the copy on the server is this machine's.
  const texts = compare ? open : open.filter((one) => one.entry.texts || growthOf(one) !== null);
  const unsure = texts.filter((one) => sessions.has(one.localId) && growthOf(one) === null);
  const there = new Map(
    (await deps.remote.getSessions(unsure.map(({ remoteId }) => remoteId))).map((one) => [
      one.session_id,
      one,
    ]),
  );
  const changes: SessionChange[] = [];
  for (const sending of texts) {
    const session = sessions.get(sending.localId);
    // Deleted here since, or the store was rebuilt: what is then read again has its own entry.
    if (session === undefined) continue;
    const growth = growthOf(sending);
    // Changed since the entry was read: its next entry sends the lexical vector.
    if (!compare && !sending.entry.texts && session.content_hash !== growth?.expected) continue;
    const change =
      growth !== null
        ? await buildChange(deps, session, growth, complete.includes(sending))
        : await reconcile(deps, sending, session, there.get(sending.remoteId) ?? null, result);
    if (change !== null) changes.push(change);
  }
  return changes;
}

/** The change that makes the server's copy equal to this machine's; null if there is nothing to write. */
async function reconcile(
  deps: SendDependencies,
  { localId, remoteId }: Sending,
  here: SessionPayload,
  there: SessionPayload | null,
  result: SentSessions,
): Promise<SessionChange | null> {
  if (there === null) {
    result.inserted.add(remoteId);
    return buildWholeChange(deps, here, remoteId, { contentHash: null, hashes: new Map(), keep: false });
  }
  result.inserted.delete(remoteId);
  const standing = await compareCopies(deps, here, there);
  if (standing === 'diverged') {
    // This machine's copy becomes a session of its own.
    const copy = copyId(localId, deps.machine);
    result.sent.push({ sessionId: localId, remoteId: copy, contentHash: '' });
    deps.outbox.add([{ sessionId: copy, whole: true, vectors: true, archive: true }]);
    return null;
  }
  if (standing !== 'newer') {
    const contentHash = standing === 'same' ? there.content_hash : '';
    result.sent.push({ sessionId: localId, remoteId, contentHash });
    return null;
  }
  result.rewritten.add(remoteId);
  const hashes = await deps.remote.getHashes(remoteId);
  // Every point contains its session's machine and repository.
  const keep =
    here.machine === there.machine &&
    here.repo_id === there.repo_id &&
    here.repo_key === there.repo_key &&
    here.repo_name === there.repo_name;
  return buildWholeChange(deps, here, remoteId, { contentHash: there.content_hash, hashes, keep });
}

/** A conflict may mean that the session was forgotten elsewhere; it is then forgotten here too. */
async function dropForgotten(
  deps: SendDependencies,
  open: Sending[],
  conflicts: string[],
): Promise<Set<string>> {
  if (conflicts.length === 0) return new Set();
  const forgotten = new Set((await deps.remote.tombstones(conflicts)).map(({ session_id }) => session_id));
  const here = open.filter(({ remoteId }) => forgotten.has(remoteId));
  await forgetHere(
    deps,
    here.map(({ localId }) => localId),
  );
  deps.notes?.noteForgotten(
    [...forgotten],
    new Date(deps.now()).toISOString(),
    deps.outbox.server.notes().storeId,
  );
  return forgotten;
}

function keepsChanging(open: Sending[]): SmartForkError {
  const ids = open.map(({ remoteId }) => remoteId).join(', ');
  return new SmartForkError('STORE_UNAVAILABLE', `other machines keep changing ${ids} on the server`, {
    hint: 'smart-fork tries again later.',
  });
}
