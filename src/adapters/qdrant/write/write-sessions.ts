import type { Problem } from '../../../domain/errors.ts';
import { forEachParallel } from '../../../domain/for-each-parallel.ts';
import { pointText } from '../../../domain/point/point.ts';
import type { SessionChange, TextPointChange } from '../../../ports/point-store.ts';
import type { SharedWrite, SharedWritten, TranscriptsToSend } from '../../../ports/remote-store.ts';
import { settleAverages } from '../collection/settle-averages.ts';
import { NOT_EMBEDDING, settleEmbedding } from '../collection/settle-embedding.ts';
import { batchesOf } from '../http/batches.ts';
import type { Connection } from '../http/connection.ts';
import { sendInBatches } from '../http/send-in-batches.ts';
import { toJson } from '../http/transport.ts';
import type { BatchLimits } from '../options.ts';
import { BM25_CHUNK, DENSE } from '../schema/collection-shape.ts';
import { DOCUMENTS_A_REQUEST, type Documents, documentOf, withDocuments } from '../schema/documents.ts';
import { anyOf } from '../schema/filters.ts';
import { countTokens, type TokenCounts, toSparseVector } from '../schema/sparse.ts';
import { toStoredText } from '../schema/stored-payload.ts';
import type { Filter, UpdateOperation } from '../types.ts';
import {
  type Commits,
  type OpenSession,
  type Settled,
  sendCommits,
  settleCommits,
} from './commit-sessions.ts';
import { type Before, readBefore, type SessionState } from './session-state.ts';

export interface WriteContext {
  connection: Connection;
  chunking: string;
  batches: BatchLimits;
  hash: (token: string) => number;
  /** Null where vectors come from machines. */
  documents: Documents | null;
}

/** A change with its tokens counted. */
export interface CountedChange {
  change: SessionChange;
  session: TokenCounts | null;
  chunks: Map<string, TokenCounts>;
}

/**
 * Writes sessions: their texts first, then what commits each of them, with its transcript. Done again after a failure it
 * leaves the same points. Three requests for all that fits into one: what is there, the changes, what is there now.
 */
export async function writeSessions(
  context: WriteContext,
  changes: SessionChange[],
  along: SharedWrite,
): Promise<SharedWritten> {
  const written: SharedWritten = { storeId: null, conflicts: [], outgrown: [] };
  const rounds = roundsOf(changes);
  const last = rounds.pop() ?? [];
  for (const [round, more] of [...rounds.map((one) => [one, {}] as const), [last, along] as const]) {
    const { storeId, conflicts, outgrown, vectorsRefused } = await writeRound(context, round, more);
    written.storeId = storeId ?? written.storeId;
    written.conflicts.push(...conflicts);
    written.outgrown.push(...outgrown);
    if (vectorsRefused !== undefined) written.vectorsRefused ??= vectorsRefused;
  }
  return written;
}

/** Every session once in a round, in the order of its changes. */
function roundsOf(changes: SessionChange[]): SessionChange[][] {
  const rounds: SessionChange[][] = [];
  const seen = new Map<string, number>();
  for (const change of changes) {
    const id = change.session.payload.session_id;
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
  { transcripts, outgrown = [] }: SharedWrite,
): Promise<SharedWritten> {
  const { connection, hash } = context;
  const texts = changes.map(idOf);
  const alone = (transcripts?.of ?? []).filter(({ sessionId }) => !texts.includes(sessionId));
  const wanted = [...texts, ...alone.map(({ sessionId }) => sessionId)];
  if (wanted.length === 0) return removeOutgrown(connection, outgrown);
  // What a server embeds it is sent once: texts of a write that was broken off may be there.
  const mayBeKept = changes.filter(({ expected }) => expected !== null || context.documents !== null);
  const before = await readBefore(
    connection,
    wanted,
    mayBeKept.flatMap(({ upserts }) => upserts.map(({ point }) => point.id)),
    transcripts !== undefined,
  );
  const counted = changes
    .filter((change) => stands(before, idOf(change), change.expected))
    .map((change) => countChange(withTags(change, before.states.get(idOf(change))), hash));
  const open: OpenSession[] = [
    ...counted.map((one) => {
      const { session_id: sessionId, content_hash: contentHash } = one.change.session.payload;
      return { sessionId, contentHash, counted: one };
    }),
    ...alone
      .filter(({ sessionId, contentHash }) => stands(before, sessionId, contentHash))
      .map((one) => ({ ...one, counted: null })),
  ];
  const written = await writeOpen(context, open, counted, {
    before,
    outgrown,
    prepare: preparing(transcripts),
  });
  const left = wanted.filter((id) => !open.some(({ sessionId }) => sessionId === id));
  const conflicts = [...left, ...written.conflicts];
  return { ...written, conflicts, storeId: before.record.store_id };
}

async function removeOutgrown(connection: Connection, ids: string[]): Promise<SharedWritten> {
  if (ids.length > 0) await connection.deletePoints({ must: [{ has_id: ids }] });
  return { storeId: null, conflicts: [], outgrown: [] };
}

/** Whether a session is in the state that is thought. */
function stands({ states, forgotten }: Before, id: string, contentHash: string | null): boolean {
  return (states.get(id)?.content_hash ?? null) === contentHash && !forgotten.has(id);
}

async function writeOpen(
  context: WriteContext,
  open: OpenSession[],
  counted: CountedChange[],
  given: Pick<Commits, 'before' | 'outgrown' | 'prepare'>,
): Promise<Settled> {
  if (open.length === 0) return { conflicts: [], outgrown: given.outgrown };
  const { record, texts } = given.before;
  const { session: average, chunk } = await settleAverages(context, record, counted);
  const isEmbedded = counted.some(
    (one) => one.change.vectorsFollow !== true && partTexts(one, texts).written.length > 0,
  );
  const { documents, refusal } = isEmbedded ? await settleEmbedding(context, record) : NOT_EMBEDDING;
  // Texts that the server embeds go with the commit of one session alone: a refusal is for all that is in a request.
  const isAhead = (one: CountedChange) => !isSmall(context, one) || (documents !== null && open.length > 1);
  const ahead = counted.filter(isAhead);
  const refusedAhead = await sendTexts(context, ahead, texts, chunk, documents);
  const { hasConditions } = await context.connection.version();
  const { answer: sent, refusal: refusedNow } = await withDocuments(
    ahead.length < counted.length ? documents : null,
    (some) => {
      const textsOf = (one: CountedChange) =>
        ahead.includes(one) ? [] : textOperations(one, texts, chunk, hasConditions, some);
      return sendCommits(context, open, { ...given, average, textsOf });
    },
  );
  const vectorsRefused = refusal ?? refusedAhead ?? refusedNow;
  const settled = await settleCommits(context.connection, open, sent);
  return { ...settled, ...(vectorsRefused !== null && { vectorsRefused }) };
}

/** Only for the sessions that they were announced of. */
function preparing(transcripts: TranscriptsToSend | undefined): TranscriptsToSend['prepare'] {
  const ids = new Set(transcripts?.of.map(({ sessionId }) => sessionId));
  return async (sessionId, manifest) =>
    ids.has(sessionId) ? (transcripts?.prepare(sessionId, manifest) ?? null) : null;
}

/** A session that is there keeps its tags. */
function withTags(change: SessionChange, state: SessionState | undefined): SessionChange {
  if (state === undefined) return change;
  const payload = { ...change.session.payload, tags: state.tags };
  return { ...change, session: { ...change.session, payload } };
}

/** Whether the texts of a change go with its commit. */
function isSmall({ batches }: WriteContext, { change }: CountedChange): boolean {
  return change.upserts.length <= batches.points / 4;
}

function textOperations(
  counted: CountedChange,
  stored: Map<string, string>,
  average: number,
  hasConditions: boolean,
  documents: Documents | null,
): UpdateOperation[] {
  const { kept, written } = partTexts(counted, stored);
  const points = written.map((upsert) => textPoint(counted, upsert, average, documents));
  const update_filter = overOtherTexts(points.map(({ payload }) => payload.content_hash));
  const upserts =
    points.length === 0 ? [] : [{ upsert: { points, ...(hasConditions && { update_filter }) } }];
  return [...upserts, ...kept.flatMap((upsert) => keepText(textPoint(counted, upsert, average)))];
}

async function sendTexts(
  context: WriteContext,
  counted: CountedChange[],
  stored: Map<string, string>,
  average: number,
  documents: Documents | null,
): Promise<Problem | null> {
  const { connection, batches } = context;
  const parted = counted.map((one) => ({ one, ...partTexts(one, stored) }));
  const points = parted.flatMap(({ one, written }) =>
    written.map((upsert) => {
      const jsonWith = (some: Documents | null) => toJson(textPoint(one, upsert, average, some));
      return { json: jsonWith(documents), jsonWith, hash: upsert.point.payload.content_hash };
    }),
  );
  const { hasConditions } = await connection.version();
  const most = documents === null ? batches.points : Math.min(batches.points, DOCUMENTS_A_REQUEST);
  const upserts = batchesOf(points, ({ json }) => json.length, { ...batches, points: most });
  let refusal: Problem | null = null;
  await forEachParallel(upserts, batches.requests, async (batch) => {
    const over = hasConditions ? overOtherTexts(batch.map(({ hash }) => hash)) : undefined;
    const sent = await withDocuments(documents, (some) =>
      connection.upsert(
        batch.map(({ json, jsonWith }) => (some === documents ? json : jsonWith(some))),
        over,
      ),
    );
    refusal ??= sent.refusal;
  });
  await sendInBatches(connection, batches, async (add) => {
    for (const { one, kept } of parted)
      for (const upsert of kept) await add(keepText(textPoint(one, upsert, average)));
  });
  return refusal;
}

/**
 * A write that was given up may still be done by a slow server, long after the same write was tried again and vectors were
 * set: it must not take them away.
 */
function overOtherTexts(hashes: string[]): Filter {
  return { must_not: [anyOf('content_hash', hashes)] };
}

/** Texts that are stored already keep their dense vector; those that are not are written as whole points. */
function partTexts({ change }: CountedChange, stored: Map<string, string>) {
  const isKept = ({ point }: TextPointChange) => stored.get(point.id) === point.payload.content_hash;
  return {
    kept: change.upserts.filter(isKept),
    written: change.upserts.filter((upsert) => !isKept(upsert)),
  };
}

/** The lexical vector and the payload of a point whose text stays the same: an upsert would drop the dense vector. */
function keepText({ id, vector, payload }: ReturnType<typeof textPoint>): UpdateOperation[] {
  const points = [id];
  const without = payload.type === 'chunk' ? [{ delete_vectors: { points, vector: [BM25_CHUNK] } }] : [];
  const lexical = BM25_CHUNK in vector ? [{ update_vectors: { points: [{ id, vector }] } }] : without;
  return [...lexical, { overwrite_payload: { payload, filter: { must: [{ has_id: points }] } } }];
}

function countChange(change: SessionChange, hash: (token: string) => number): CountedChange {
  const chunks = new Map<string, TokenCounts>();
  for (const { point, tokens } of change.upserts) {
    if (tokens !== null) chunks.set(point.id, countTokens(tokens, hash));
  }
  return { change, session: change.tokens === null ? null : countTokens(change.tokens, hash), chunks };
}

function textPoint(
  { change, chunks }: CountedChange,
  { point: { id, payload } }: TextPointChange,
  average: number,
  documents: Documents | null = null,
) {
  const counts = chunks.get(id);
  const lexical = counts === undefined ? null : { lexical_length: counts.length, lexical_average: average };
  const vector = {
    ...(counts !== undefined && counts.length > 0 && { [BM25_CHUNK]: toSparseVector(counts, average) }),
    ...(documents !== null &&
      change.vectorsFollow !== true && { [DENSE]: documentOf(documents, pointText(payload)) }),
  };
  return { id, vector, payload: { ...toStoredText(payload, change.session.payload, lexical) } };
}

function idOf(change: SessionChange): string {
  return change.session.payload.session_id;
}
