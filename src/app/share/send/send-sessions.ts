import { type Problem, SmartForkError } from '../../../domain/errors.ts';
import type { SessionPayload } from '../../../domain/point/point.ts';
import { copyId } from '../../../domain/session/session-id.ts';
import type { SentSession } from '../../../ports/outbox.ts';
import type { SessionChange } from '../../../ports/point-store.ts';
import type { TranscriptsToSend } from '../../../ports/remote-store.ts';
import { compareCopies } from '../agree/compare-copies.ts';
import { forgetHere } from '../agree/follow-tombstones.ts';
import { buildChange, buildWholeChange } from './build-change.ts';
import type { SendDependencies, Sending } from './send-dependencies.ts';

/** How often a session is looked at anew because another machine wrote it meanwhile. */
const ROUNDS = 4;

export interface SentSessions {
  /** What the server has now. */
  sent: SentSession[];
  /** Sessions whose vectors are to be sent as a whole. */
  rewritten: Set<string>;
  /** Why the server, which embeds by itself, did not. */
  vectorsRefused: Problem | null;
  /** The store is not the one that was greeted. */
  isOther: boolean;
}

/**
 * Sends sessions, their texts and transcripts. The write itself checks that the server has what it is thought to have: the two
 * copies are compared only if it has something else, or if nothing is known.
 * @param complete those whose transcripts and lexical vectors go now.
 */
export async function sendSessions(
  deps: SendDependencies,
  sendings: Sending[],
  complete: Sending[],
): Promise<SentSessions> {
  const result: SentSessions = {
    sent: [],
    rewritten: new Set(),
    vectorsRefused: null,
    isOther: false,
  };
  const transcripts = toPrepare(deps, complete);
  let open = sendings.filter((one) => hasTexts(one) || complete.includes(one));
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

function hasTexts({ entry }: Sending): boolean {
  return entry.whole || entry.points.length + entry.deletes.length > 0;
}

/** A transcript that is to go along. */
interface Transcript extends Sending {
  /** An earlier try may have left parts there that nothing names. */
  again: boolean;
}

/** By id on the server. */
function toPrepare(
  { outbox, prepareTranscript }: SendDependencies,
  withTranscript: Sending[],
): Map<string, Transcript> {
  if (prepareTranscript === undefined || withTranscript.length === 0) return new Map();
  const again = new Set(outbox.begin(withTranscript.map(({ remoteId }) => remoteId)));
  return new Map(withTranscript.map((one) => [one.remoteId, { ...one, again: again.has(one.remoteId) }]));
}

/** Ids of those that were left alone. */
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
  const before = outbox.outgrown();
  const written = await remote.send(changes, {
    superseded: before,
    ...(along.of.length > 0 && { transcripts: along }),
  });
  const { storeId, conflicts, superseded, vectorsRefused = null } = written;
  result.vectorsRefused ??= vectorsRefused;
  result.isOther ||= storeId !== null && storeId !== outbox.storeId();
  if (before.length + superseded.length > 0) outbox.noteOutgrown(superseded);
  return conflicts;
}

/** Of the copies that count on the server, or will by this write. */
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
  for (const { remoteId, contentHash } of [...sent.toReversed(), ...outbox.sent(localIds)])
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
      // What goes wrong from here on leaves parts behind.
      one.transcript.again = true;
      return prepareTranscript({ session: one.session, remoteId, whole: entry.whole, again }, manifest);
    },
  };
}

/** Changes for the sessions that have something to send; what is settled without one goes into `result`. */
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
  const known = new Map(deps.outbox.sent([...sessions.keys()]).map((one) => [one.sessionId, one]));
  // The points of a session that is called otherwise there have other ids: it is compared.
  const baseOf = ({ entry, localId }: Sending) =>
    compare || entry.whole || entry.sessionId !== localId ? '' : (known.get(localId)?.contentHash ?? '');
  // Of a copy that is not the server's, neither the transcript nor the vector counts.
  const texts = compare ? open : open.filter((one) => hasTexts(one) || baseOf(one) !== '');
  const unsure = texts.filter((one) => sessions.has(one.localId) && baseOf(one) === '');
  const there = await readThere(deps, unsure);
  const changes: SessionChange[] = [];
  for (const sending of texts) {
    const session = sessions.get(sending.localId);
    // It was deleted here, or the store was built anew: what was read then has its own entry.
    if (session === undefined) continue;
    const { entry } = sending;
    const expected = baseOf(sending);
    // It changed since the entry was read: what came then brings the vector.
    if (!compare && !hasTexts(sending) && session.content_hash !== expected) continue;
    const change =
      expected !== ''
        ? await buildChange(deps, session, { ...entry, expected, complete: complete.includes(sending) })
        : await settleCopy(deps, sending, session, there.get(entry.sessionId) ?? null, result);
    if (change !== null) changes.push(change);
  }
  return changes;
}

async function readThere(deps: SendDependencies, unsure: Sending[]): Promise<Map<string, SessionPayload>> {
  if (unsure.length === 0) return new Map();
  const found = await deps.remote.getSessions(unsure.map(({ remoteId }) => remoteId));
  return new Map(found.map((session) => [session.session_id, session]));
}

async function settleCopy(
  deps: SendDependencies,
  { localId, remoteId }: Sending,
  here: SessionPayload,
  there: SessionPayload | null,
  result: SentSessions,
): Promise<SessionChange | null> {
  if (there === null) {
    result.rewritten.add(remoteId);
    return buildWholeChange(deps, here, remoteId, { contentHash: null, hashes: new Map(), keep: false });
  }
  const standing = await compareCopies(deps, here, there);
  if (standing === 'same') {
    result.sent.push({ sessionId: localId, remoteId, contentHash: there.content_hash });
    return null;
  }
  if (standing === 'older') {
    result.sent.push({ sessionId: localId, remoteId, contentHash: '' });
    return null;
  }
  if (standing === 'diverged') {
    separate(deps, localId, result);
    return null;
  }
  result.rewritten.add(remoteId);
  const hashes = await deps.remote.getHashes(remoteId);
  // Every point names its session's machine and repository.
  const keep =
    here.machine === there.machine &&
    here.repo_id === there.repo_id &&
    here.repo_key === there.repo_key &&
    here.repo_name === there.repo_name;
  return buildWholeChange(deps, here, remoteId, { contentHash: there.content_hash, hashes, keep });
}

/** From here on this machine's copy is a session of its own. */
function separate({ outbox, machine }: SendDependencies, localId: string, result: SentSessions): void {
  const remoteId = copyId(localId, machine);
  result.sent.push({ sessionId: localId, remoteId, contentHash: '' });
  outbox.add([{ sessionId: remoteId, whole: true, vectors: null, archive: true }]);
}

/** Sessions that a conflict was reported of because somebody forgot them go here too. */
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
  deps.notes?.noteForgotten([...forgotten], new Date(deps.now()).toISOString(), deps.outbox.storeId());
  return forgotten;
}

function keepsChanging(open: Sending[]): SmartForkError {
  const ids = open.map(({ remoteId }) => remoteId).join(', ');
  return new SmartForkError('STORE_UNAVAILABLE', `other machines keep changing ${ids} on the server`, {
    hint: 'It is tried again later.',
  });
}
