import type { SessionChange, TextPointChange } from '../../ports/point-store.ts';
import { batchesOf, forEachParallel } from './batches.ts';
import { BM25_CHUNK } from './collection-shape.ts';
import { commitOperations } from './commit-operations.ts';
import type { Connection } from './connection.ts';
import { isMissingPoint } from './errors.ts';
import type { BatchLimits } from './options.ts';
import { readSessionHashes, readStates, type SessionState } from './session-state.ts';
import { countTokens, type TokenCounts, toSparseVector } from './sparse.ts';
import { type StoreRecord, updateRecord } from './store-record.ts';
import { toStoredText } from './stored-payload.ts';
import { toJson } from './transport.ts';
import type { UpdateOperation } from './types.ts';

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
  const [only] = counted;
  if (counted.length === 1 && only !== undefined && isSmall(context, only)) {
    await sendCommits(context, counted, states, averages, textUpsert(only, averages.chunk));
  } else {
    await sendTexts(context, counted, averages.chunk);
    await sendCommits(context, counted, states, averages, []);
  }
  return conflictsAfter(context.connection, changes, open, states);
}

/** Whether the texts of a change can go with its commit: one request less. */
function isSmall({ batches }: WriteContext, { change }: CountedChange): boolean {
  return change.upserts.length <= batches.points / 4;
}

function textUpsert(counted: CountedChange, average: number): UpdateOperation[] {
  const points = counted.change.upserts.map((upsert) => textPoint(counted, upsert, average));
  return points.length === 0 ? [] : [{ upsert: { points } }];
}

async function sendTexts(context: WriteContext, counted: CountedChange[], average: number): Promise<void> {
  const points = counted.flatMap((one) =>
    one.change.upserts.map((upsert) => toJson(textPoint(one, upsert, average))),
  );
  const batches = batchesOf(points, (json) => json.length, context.batches);
  await forEachParallel(batches, context.batches.requests, (batch) => context.connection.upsert(batch));
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
  await forEachParallel(batches, context.batches.requests, async (batch) => {
    try {
      await context.connection.update(batch.flatMap(({ operations }) => operations));
    } catch (error) {
      // What another machine deleted meanwhile shows as a conflict.
      if (!isMissingPoint(error)) throw error;
    }
  });
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
  { change, chunks }: CountedChange,
  { point: { id, payload } }: TextPointChange,
  average: number,
) {
  const counts = chunks.get(id);
  const lexical = counts === undefined ? null : { lexical_length: counts.length, lexical_average: average };
  const vector =
    counts === undefined || counts.length === 0 ? {} : { [BM25_CHUNK]: toSparseVector(counts, average) };
  return { id, vector, payload: { ...toStoredText(payload, change.session.payload, lexical) } };
}

function idOf(change: SessionChange): string {
  return change.session.payload.session_id;
}
