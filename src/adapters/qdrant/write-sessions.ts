import type { SessionChange, TextPointChange } from '../../ports/point-store.ts';
import { batchesOf, forEachParallel } from './batches.ts';
import { BM25_CHUNK } from './collection-shape.ts';
import { commitOperations } from './commit-operations.ts';
import type { Connection } from './connection.ts';
import type { BatchLimits } from './options.ts';
import { readSessionHashes, readStates, type SessionState } from './session-state.ts';
import { countTokens, type TokenCounts, toSparseVector } from './sparse.ts';
import { type StoreRecord, updateRecord } from './store-record.ts';
import { toStoredText } from './stored-payload.ts';
import { toJson } from './transport.ts';

export interface WriteContext {
  connection: Connection;
  chunking: string;
  batches: BatchLimits;
  hash: (token: string) => number;
}

/** Averages that lexical vectors are made with. */
export interface Averages {
  session: number;
  chunk: number;
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
export async function writeSessions(context: WriteContext, changes: SessionChange[]): Promise<string[]> {
  const conflicts: string[] = [];
  for (const round of roundsOf(changes)) conflicts.push(...(await writeRound(context, round)));
  return conflicts;
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

async function writeRound(context: WriteContext, changes: SessionChange[]): Promise<string[]> {
  const ids = changes.map(idOf);
  const { record, states } = await readStates(context.connection, ids);
  const open = changes.filter(
    (change) => (states.get(idOf(change))?.content_hash ?? null) === change.expected,
  );
  if (open.length === 0) return ids;
  const counted = open.map((change) => countChange(change, context.hash));
  const averages = await settleRecord(context, record, counted);
  const { hasConditions } = await context.connection.version();
  const isSmall = open.length === 1 && (open[0]?.upserts.length ?? 0) <= context.batches.points / 4;
  const texts = isSmall ? [] : open.flatMap((change) => change.upserts.map((upsert) => ({ change, upsert })));
  const countsOf = new Map(counted.flatMap(({ chunks }) => [...chunks]));
  const points = texts.map(({ change, upsert }) =>
    toJson(textPoint(change, upsert, countsOf, averages.chunk)),
  );
  await forEachParallel(
    batchesOf(points, (json) => json.length, context.batches),
    context.batches.requests,
    (batch) => context.connection.upsert(batch),
  );
  const commits = counted.map((one) => [
    ...(isSmall ? smallUpsert(one.change, countsOf, averages.chunk) : []),
    ...commitOperations(one, states.get(idOf(one.change)) ?? null, averages.session, hasConditions),
  ]);
  const sized = commits.map((operations) => ({ operations, bytes: toJson(operations).length }));
  await forEachParallel(
    batchesOf(sized, ({ bytes }) => bytes, context.batches),
    context.batches.requests,
    (batch) => context.connection.update(batch.flatMap(({ operations }) => operations)),
  );
  return conflictsAfter(context.connection, changes, open, states);
}

/** The texts of one small change go with its commit: one request less. */
function smallUpsert(change: SessionChange, countsOf: Map<string, TokenCounts>, average: number) {
  if (change.upserts.length === 0) return [];
  return [
    { upsert: { points: change.upserts.map((upsert) => textPoint(change, upsert, countsOf, average)) } },
  ];
}

/** Sessions that were left alone, and those that another machine wrote at the same moment. */
async function conflictsAfter(
  connection: Connection,
  changes: SessionChange[],
  open: SessionChange[],
  before: Map<string, SessionState>,
): Promise<string[]> {
  const hashes = await readSessionHashes(connection, open.map(idOf));
  const isWritten = (change: SessionChange) =>
    open.includes(change) &&
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

/** Keeps the record up to date. The first sessions give the averages; `refresh` corrects them as the store grows. */
async function settleRecord(
  context: WriteContext,
  record: StoreRecord,
  counted: CountedChange[],
): Promise<Averages> {
  const session = record.session_average ?? averageOf(counted.flatMap((one) => one.session ?? []));
  const chunk = record.chunk_average ?? averageOf(counted.flatMap(({ chunks }) => [...chunks.values()]));
  const change: Partial<StoreRecord> = {
    ...(record.chunking !== context.chunking && { chunking: context.chunking }),
    ...(record.session_average === null && session !== null && { session_average: session }),
    ...(record.chunk_average === null && chunk !== null && { chunk_average: chunk }),
  };
  if (Object.keys(change).length > 0) await updateRecord(context.connection, change);
  return { session: session ?? 1, chunk: chunk ?? 1 };
}

function averageOf(documents: TokenCounts[]): number | null {
  const filled = documents.filter(({ length }) => length > 0);
  if (filled.length === 0) return null;
  return Math.round(filled.reduce((sum, { length }) => sum + length, 0) / filled.length);
}

function textPoint(
  change: SessionChange,
  { point: { id, payload } }: TextPointChange,
  countsOf: Map<string, TokenCounts>,
  average: number,
) {
  const counts = countsOf.get(id);
  const lexical = counts === undefined ? null : { lexical_length: counts.length, lexical_average: average };
  const vector =
    counts === undefined || counts.length === 0 ? {} : { [BM25_CHUNK]: toSparseVector(counts, average) };
  return { id, vector, payload: { ...toStoredText(payload, change.session.payload, lexical) } };
}

function idOf(change: SessionChange): string {
  return change.session.payload.session_id;
}
