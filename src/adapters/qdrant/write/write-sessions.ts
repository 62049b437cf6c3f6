import { type Problem, problemOf, SmartForkError } from '../../../domain/errors.ts';
import type { SessionChange } from '../../../ports/point-store.ts';
import type { SharedWrite, SharedWritten, TranscriptsToSend } from '../../../ports/remote-store.ts';
import { fixModel } from '../collection/fix-model.ts';
import { updateRecord } from '../collection/read-record.ts';
import type { Connection } from '../http/connection.ts';
import { type Documents, withDocuments } from '../schema/documents.ts';
import type { StoreRecord } from '../schema/store-record.ts';
import {
  type Commits,
  type OpenSession,
  sendCommits,
  type Verified,
  verifyCommits,
} from './commit-sessions.ts';
import { type CountedChange, countChange, idOf, type WriteContext } from './count-change.ts';
import { type Before, readBefore, type SessionState } from './session-state.ts';
import { partTexts, sendTexts, textOperations } from './write-texts.ts';

/**
 * Writes sessions: first their texts, then the commit of each, with its transcript. Idempotent: a repeated write gives the same
 * points. A small write takes three requests: read the state, write the changes, verify the state.
 */
export async function writeSessions(
  context: WriteContext,
  changes: SessionChange[],
  along: SharedWrite,
): Promise<SharedWritten> {
  const written: SharedWritten = { storeId: null, conflicts: [], superseded: [] };
  const rounds = roundsOf(changes);
  const last = rounds.pop() ?? [];
  for (const [round, more] of [...rounds.map((one) => [one, {}] as const), [last, along] as const]) {
    const { storeId, conflicts, superseded, vectorsRefused } = await writeRound(context, round, more);
    written.storeId = storeId ?? written.storeId;
    written.conflicts.push(...conflicts);
    written.superseded.push(...superseded);
    if (vectorsRefused !== undefined) written.vectorsRefused ??= vectorsRefused;
  }
  return written;
}

/** Splits the changes into rounds that contain each session at most once, in the order of its changes. */
function roundsOf(changes: SessionChange[]): SessionChange[][] {
  const rounds: SessionChange[][] = [];
  const seen = new Map<string, number>();
  for (const change of changes) {
    const id = idOf(change);
    const round = seen.get(id) ?? 0;
    seen.set(id, round + 1);
    const members = rounds[round];
    if (members === undefined) rounds.push([change]);
    else members.push(change);
  }
  return rounds;
}

async function writeRound(
  context: WriteContext,
  changes: SessionChange[],
  { transcripts, superseded = [] }: SharedWrite,
): Promise<SharedWritten> {
  const { connection } = context;
  const changed = changes.map(idOf);
  const alone = (transcripts?.of ?? []).filter(({ sessionId }) => !changed.includes(sessionId));
  const wanted = [...changed, ...alone.map(({ sessionId }) => sessionId)];
  if (wanted.length === 0) return removeSuperseded(connection, superseded);
  // Texts of an interrupted write may be stored already: the server should not embed them again.
  const maybeStored = changes.filter(({ expected }) => expected !== null || context.documents !== null);
  const before = await readBefore(
    connection,
    wanted,
    maybeStored.flatMap(({ upserts }) => upserts.map(({ point }) => point.id)),
    transcripts !== undefined,
  );
  const counted = changes
    .filter((change) => isAsExpected(before, idOf(change), change.expected))
    .map((change) => countChange(withTags(change, before.states.get(idOf(change)))));
  const open: OpenSession[] = [
    ...counted.map((one) => {
      const { session_id: sessionId, content_hash: contentHash } = one.change.session.payload;
      return { sessionId, contentHash, counted: one };
    }),
    ...alone
      .filter(({ sessionId, contentHash }) => isAsExpected(before, sessionId, contentHash))
      .map((one) => ({ ...one, counted: null })),
  ];
  const written = await writeOpen(context, open, counted, {
    before,
    superseded,
    prepare: preparing(transcripts),
  });
  const left = wanted.filter((id) => !open.some(({ sessionId }) => sessionId === id));
  const conflicts = [...left, ...written.conflicts];
  return { ...written, conflicts, storeId: before.record.store_id };
}

async function removeSuperseded(connection: Connection, ids: string[]): Promise<SharedWritten> {
  if (ids.length > 0) await connection.deletePoints({ must: [{ has_id: ids }] });
  return { storeId: null, conflicts: [], superseded: [] };
}

/** Whether the session is still in the expected state. */
function isAsExpected({ states, forgotten }: Before, id: string, contentHash: string | null): boolean {
  return (states.get(id)?.content_hash ?? null) === contentHash && !forgotten.has(id);
}

async function writeOpen(
  context: WriteContext,
  open: OpenSession[],
  counted: CountedChange[],
  given: Pick<Commits, 'before' | 'superseded' | 'prepare'>,
): Promise<Verified & Pick<SharedWritten, 'vectorsRefused'>> {
  if (open.length === 0) return { conflicts: [], superseded: given.superseded };
  const { record, texts: stored } = given.before;
  if (counted.length > 0 && record.chunking !== context.chunking)
    await updateRecord(context.connection, { chunking: context.chunking });
  const needVectors = counted.some(
    (one) => one.change.vectorsFollow !== true && partTexts(one, stored).written.length > 0,
  );
  const { documents, refusal } = needVectors ? await embeddingOf(context, record) : NOT_EMBEDDING;
  const write = (some: Documents | null) => ({ stored, documents: some });
  // A refusal fails the whole request, so texts to embed go along with a commit only if it is the only one.
  const isAhead = (one: CountedChange) => !isSmall(context, one) || (documents !== null && open.length > 1);
  const ahead = counted.filter(isAhead);
  const refusedAhead = await sendTexts(context, ahead, write(documents));
  const { answer: sent, refusal: refusedNow } = await withDocuments(
    ahead.length < counted.length ? documents : null,
    (some) => {
      const textsOf = (one: CountedChange) => (ahead.includes(one) ? [] : textOperations(one, write(some)));
      return sendCommits(context, open, { ...given, textsOf });
    },
  );
  const vectorsRefused = refusal ?? refusedAhead ?? refusedNow;
  const verified = await verifyCommits(context.connection, open, sent);
  return { ...verified, vectorsRefused: vectorsRefused ?? undefined };
}

/** How the texts of a write get their vectors. */
interface WriteEmbedding {
  /** Null: the texts get no vectors now. */
  documents: Documents | null;
  /** Why not; null if the caller already knows. */
  refusal: Problem | null;
}

const NOT_EMBEDDING: WriteEmbedding = { documents: null, refusal: null };

/** Texts are sent without vectors if the collection has another model's. */
async function embeddingOf(
  { connection, documents }: WriteContext,
  record: StoreRecord,
): Promise<WriteEmbedding> {
  if (documents === null || documents.refusals.current() !== null) return NOT_EMBEDDING;
  try {
    await fixModel(connection, documents.model, record);
    return { documents, refusal: null };
  } catch (error) {
    if (!(error instanceof SmartForkError) || error.code !== 'MODEL_MISMATCH') throw error;
    return { documents: null, refusal: problemOf(error) };
  }
}

/** Prepares only the requested transcripts. */
function preparing(transcripts: TranscriptsToSend | undefined): TranscriptsToSend['prepare'] {
  const ids = new Set(transcripts?.of.map(({ sessionId }) => sessionId));
  return async (sessionId, manifest) =>
    ids.has(sessionId) ? (transcripts?.prepare(sessionId, manifest) ?? null) : null;
}

/** A stored session keeps its tags. */
function withTags(change: SessionChange, state: SessionState | undefined): SessionChange {
  if (state === undefined) return change;
  const payload = { ...change.session.payload, tags: state.tags };
  return { ...change, session: { ...change.session, payload } };
}

/** Whether the texts of a change fit into the request with its commit. */
function isSmall({ batches }: WriteContext, { change }: CountedChange): boolean {
  return change.upserts.length <= batches.points / 4;
}
