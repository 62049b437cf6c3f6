import { forEachParallel } from '../../domain/for-each-parallel.ts';
import { pointText } from '../../domain/point.ts';
import type { Refusal } from '../../ports/embedding-refusals.ts';
import type { SessionChange, TextPointChange, Written } from '../../ports/point-store.ts';
import { batchesOf } from './batches.ts';
import { BM25_CHUNK, DENSE } from './collection-shape.ts';
import { commitOperations } from './commit-operations.ts';
import type { Connection } from './connection.ts';
import { DOCUMENTS_A_REQUEST, type Documents, documentOf, withDocuments } from './documents.ts';
import { isMissingPoint } from './errors.ts';
import { anyOf } from './filters.ts';
import type { BatchLimits } from './options.ts';
import { readBefore, readSessionHashes, type SessionState } from './session-state.ts';
import { type Averages, settleAverages } from './settle-averages.ts';
import { NOT_EMBEDDING, settleEmbedding } from './settle-embedding.ts';
import { countTokens, type TokenCounts, toSparseVector } from './sparse.ts';
import { toStoredText } from './stored-payload.ts';
import { pointsOfSessions } from './tombstones.ts';
import { toJson } from './transport.ts';
import type { Filter, UpdateOperation } from './types.ts';

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
 * Writes sessions: their texts first, a few batches at a time, then what commits each of them. Done again after a failure
 * it leaves the same points. Three requests for one session that grew: what is there, the change, what is there now.
 */
export async function writeSessions(context: WriteContext, changes: SessionChange[]): Promise<Written> {
  const written: Written = { conflicts: [] };
  for (const round of roundsOf(changes)) {
    const { conflicts, vectorsRefused } = await writeRound(context, round);
    written.conflicts.push(...conflicts);
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

async function writeRound(context: WriteContext, changes: SessionChange[]): Promise<Written> {
  const ids = changes.map(idOf);
  // What a server embeds it is sent once: texts of a write that was broken off may be there.
  const mayBeKept = changes.filter(({ expected }) => expected !== null || context.documents !== null);
  const before = await readBefore(
    context.connection,
    ids,
    mayBeKept.flatMap(({ upserts }) => upserts.map(({ point }) => point.id)),
  );
  const { states, forgotten } = before;
  const open = changes.filter(
    (change) =>
      (states.get(idOf(change))?.content_hash ?? null) === change.expected && !forgotten.has(idOf(change)),
  );
  if (open.length === 0) return { conflicts: ids };
  const counted = open.map((change) => countChange(withTags(change, states.get(idOf(change))), context.hash));
  const averages = await settleAverages(context, before.record, counted);
  const isEmbedded = counted.some(
    (one) => one.change.vectorsFollow !== true && partTexts(one, before.texts).written.length > 0,
  );
  const embedding = isEmbedded ? await settleEmbedding(context, before.record) : NOT_EMBEDDING;
  const [only] = counted;
  let { refusal } = embedding;
  if (counted.length === 1 && only !== undefined && isSmall(context, only)) {
    const { hasConditions } = await context.connection.version();
    const sent = await withDocuments(embedding.documents, (documents) => {
      const texts = textOperations(only, before.texts, averages.chunk, hasConditions, documents);
      return sendCommits(context, counted, states, averages, texts);
    });
    refusal ??= sent.refusal;
  } else {
    refusal ??= await sendTexts(context, counted, before.texts, averages.chunk, embedding.documents);
    await sendCommits(context, counted, states, averages, []);
  }
  const conflicts = await conflictsAfter(context.connection, changes, open, states);
  return { conflicts, ...(refusal !== null && { vectorsRefused: refusal }) };
}

/** A session that is there keeps its tags. */
function withTags(change: SessionChange, state: SessionState | undefined): SessionChange {
  if (state === undefined) return change;
  const payload = { ...change.session.payload, tags: state.tags };
  return { ...change, session: { ...change.session, payload } };
}

/** Whether the texts of a change can go with its commit: one request less. */
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
): Promise<Refusal | null> {
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
  let refusal: Refusal | null = null;
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
  const kept = parted.flatMap((part) =>
    part.kept.map((upsert) => {
      const operations = keepText(textPoint(part.one, upsert, average));
      return { operations, bytes: toJson(operations).length };
    }),
  );
  const updates = batchesOf(kept, ({ bytes }) => bytes, batches);
  await forEachParallel(updates, batches.requests, (batch) => update(connection, batch));
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

/** @param before what goes before the commits, in the same request. */
async function sendCommits(
  context: WriteContext,
  counted: CountedChange[],
  states: Map<string, SessionState>,
  averages: Averages,
  before: UpdateOperation[],
): Promise<void> {
  const { hasConditions } = await context.connection.version();
  const commits = counted.map((one) => {
    const state = states.get(idOf(one.change)) ?? null;
    const operations = [...before, ...commitOperations(one, state, averages.session, hasConditions)];
    return { operations, bytes: toJson(operations).length };
  });
  const batches = batchesOf(commits, ({ bytes }) => bytes, context.batches);
  await forEachParallel(batches, context.batches.requests, (batch) => update(context.connection, batch));
}

/** What another machine deleted meanwhile ends the request; it shows as a conflict. */
async function update(connection: Connection, batch: { operations: UpdateOperation[] }[]): Promise<void> {
  try {
    await connection.update(batch.flatMap(({ operations }) => operations));
  } catch (error) {
    if (!isMissingPoint(error)) throw error;
  }
}

/**
 * Sessions that were left alone, and those that another machine wrote at the same moment. What was forgotten while it was
 * written goes again.
 */
async function conflictsAfter(
  connection: Connection,
  changes: SessionChange[],
  open: SessionChange[],
  before: Map<string, SessionState>,
): Promise<string[]> {
  const { hashes, forgotten } = await readSessionHashes(connection, open.map(idOf));
  if (forgotten.size > 0) await connection.deletePoints(pointsOfSessions([...forgotten]));
  const isWritten = (change: SessionChange) =>
    open.includes(change) &&
    !forgotten.has(idOf(change)) &&
    hashes.get(idOf(change)) === change.session.payload.content_hash &&
    (before.get(idOf(change))?.content_hash ?? null) === change.expected;
  return changes.filter((change) => !isWritten(change)).map(idOf);
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
