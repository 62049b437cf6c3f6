import { SmartForkError } from '../../domain/errors.ts';
import type { SessionPayload } from '../../domain/point.ts';
import { copyId } from '../../domain/session-id.ts';
import type { Refusal } from '../../ports/embedding-refusals.ts';
import type { SentSession } from '../../ports/outbox.ts';
import type { SessionChange } from '../../ports/point-store.ts';
import { buildChange, buildWholeChange } from './build-change.ts';
import { compareCopies } from './compare-copies.ts';
import type { SendDependencies, Sending } from './send-dependencies.ts';

/** How often a session is looked at anew because another machine wrote it meanwhile. */
const ROUNDS = 4;

export interface SentTexts {
  /** What the server has now. */
  sent: SentSession[];
  /** Sessions whose vectors are to be sent as a whole. */
  rewritten: Set<string>;
  /** Sessions whose words on the server are to be counted anew. */
  stale: boolean;
  /** Why the server, which embeds by itself, did not. */
  vectorsRefused: Refusal | null;
}

/**
 * Sends sessions and their texts. What the server is thought to have is checked by the server itself, in the write: only
 * where it has something else, or nothing is known, the two copies are compared.
 */
export async function sendTexts(deps: SendDependencies, sendings: Sending[]): Promise<SentTexts> {
  const result: SentTexts = { sent: [], rewritten: new Set(), stale: false, vectorsRefused: null };
  let open = sendings;
  for (let round = 1; open.length > 0; round += 1) {
    if (round > ROUNDS) throw keepsChanging(open);
    const changes = await planChanges(deps, open, round > 1, result);
    if (changes.length === 0) break;
    const { conflicts, vectorsRefused = null } = await deps.remote.write(changes);
    result.vectorsRefused ??= vectorsRefused;
    for (const { session, tokens, expected } of changes) {
      const { session_id, content_hash } = session.payload;
      if (conflicts.includes(session_id)) continue;
      const sending = open.find(({ remoteId }) => remoteId === session_id);
      if (sending === undefined) continue;
      result.sent.push({ sessionId: sending.localId, remoteId: session_id, contentHash: content_hash });
      result.stale ||= tokens === null && expected !== null;
    }
    const forgotten = await dropForgotten(deps, open, conflicts);
    open = open.filter(({ remoteId }) => conflicts.includes(remoteId) && !forgotten.has(remoteId));
  }
  return result;
}

/** Changes for the sessions that have something to send; what is settled without one goes into `result`. */
async function planChanges(
  deps: SendDependencies,
  open: Sending[],
  compare: boolean,
  result: SentTexts,
): Promise<SessionChange[]> {
  const sessions = new Map(
    (await deps.local.getSessions(open.map(({ localId }) => localId))).map((one) => [one.session_id, one]),
  );
  const known = new Map(deps.outbox.sent([...sessions.keys()]).map((one) => [one.sessionId, one]));
  // The points of a session that is called otherwise there have other ids: it is compared.
  const baseOf = ({ entry, localId }: Sending) =>
    compare || entry.whole || entry.sessionId !== localId ? '' : (known.get(localId)?.contentHash ?? '');
  const unsure = open.filter((one) => sessions.has(one.localId) && baseOf(one) === '');
  const there = await readThere(deps, unsure);
  const changes: SessionChange[] = [];
  for (const sending of open) {
    const session = sessions.get(sending.localId);
    // It was deleted here, or the store was built anew: what was read then has its own entry.
    if (session === undefined) continue;
    const { entry } = sending;
    const expected = baseOf(sending);
    const change =
      expected !== ''
        ? await buildChange(deps, session, { ...entry, expected })
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
  result: SentTexts,
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
function separate({ outbox, machine }: SendDependencies, localId: string, result: SentTexts): void {
  const remoteId = copyId(localId, machine);
  result.sent.push({ sessionId: localId, remoteId, contentHash: '' });
  outbox.add([{ sessionId: remoteId, whole: true, vectors: null, archive: true }]);
}

/** Sessions that a conflict was reported of because somebody forgot them go here too. */
async function dropForgotten(
  { remote, local }: SendDependencies,
  open: Sending[],
  conflicts: string[],
): Promise<Set<string>> {
  if (conflicts.length === 0) return new Set();
  const forgotten = new Set((await remote.tombstones(conflicts)).map(({ session_id }) => session_id));
  const here = open.filter(({ remoteId }) => forgotten.has(remoteId));
  if (here.length > 0) await local.deleteSessions(here.map(({ localId }) => localId));
  return forgotten;
}

function keepsChanging(open: Sending[]): SmartForkError {
  const ids = open.map(({ remoteId }) => remoteId).join(', ');
  return new SmartForkError('STORE_UNAVAILABLE', `other machines keep changing ${ids} on the server`, {
    hint: 'It is tried again later.',
  });
}
