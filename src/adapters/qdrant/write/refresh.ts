import { forEachParallel } from '../../../domain/for-each-parallel.ts';
import { pointId } from '../../../domain/point/point-id.ts';
import type { Averages } from '../collection/settle-averages.ts';
import { batchesOf } from '../http/batches.ts';
import type { Connection } from '../http/connection.ts';
import { isMissingPoint } from '../http/errors.ts';
import { scrollAll } from '../http/scroll.ts';
import { BM25_CHUNK, BM25_SESSION } from '../schema/collection-shape.ts';
import { anyOf, is } from '../schema/filters.ts';
import {
  addCounts,
  fromSparseVector,
  type SparseVector,
  type TokenCounts,
  toSparseVector,
} from '../schema/sparse.ts';
import { readRecord, updateRecord } from '../schema/store-record.ts';
import type { PointRecord, UpdateOperation } from '../types.ts';
import type { WriteContext } from './write-sessions.ts';

/** Average lengths may be off by this factor before the lexical vectors are made anew: ranks hardly feel less. */
const DRIFT = 1.25;
const PAGE = 64;

/**
 * Makes the lexical vectors of sessions that grew from those of their chunks; how many. Then, when documents have become
 * longer or shorter on the average than the vectors were made for, all of them.
 */
export async function refresh(context: WriteContext, signal?: AbortSignal): Promise<number> {
  const stale = await staleSessions(context);
  let done = 0;
  let averages: Averages | null = null;
  for (const sessionId of stale) {
    if (signal?.aborted) return done;
    averages ??= await storedAverages(context);
    await refreshSession(context, sessionId, averages, false);
    done += 1;
  }
  await followDrift(context, signal);
  return done;
}

async function staleSessions({ connection }: WriteContext): Promise<string[]> {
  const filter = { must: [is('type', 'session'), is('stale_tokens', true)] };
  const ids: string[] = [];
  for await (const { payload } of scrollAll(connection, filter, ['session_id'], { page: 1000 })) {
    ids.push(String(payload?.session_id));
  }
  return ids;
}

async function storedAverages({ connection }: WriteContext): Promise<Averages> {
  const { session_average, chunk_average } = await readRecord(connection);
  return { session: session_average ?? chunk_average ?? 1, chunk: chunk_average ?? 1 };
}

interface StoredChunk {
  id: string;
  hash: string;
  counts: TokenCounts;
}

/** @param chunksToo makes the vectors of the chunks anew as well. */
async function refreshSession(
  { connection, batches }: WriteContext,
  sessionId: string,
  averages: Averages,
  chunksToo: boolean,
): Promise<void> {
  const id = pointId(sessionId, 'session');
  const [session] = await connection.retrieve([id], ['content_hash']);
  const hash = session?.payload?.content_hash;
  if (typeof hash !== 'string') return;
  const chunks = await readChunks(connection, sessionId);
  const { hasConditions } = await connection.version();
  const counts = addCounts(chunks.map((chunk) => chunk.counts));
  const rewritten = chunksToo ? batchesOf(chunks, (chunk) => chunk.counts.counts.size * 20, batches) : [];
  try {
    for (const batch of rewritten)
      await connection.update(chunkOperations(batch, averages.chunk, hasConditions));
    await connection.update(sessionOperations(id, hash, counts, averages.session));
  } catch (error) {
    // What was deleted meanwhile needs no refreshing; what was changed is marked again.
    if (!isMissingPoint(error)) throw error;
  }
}

async function readChunks(connection: Connection, sessionId: string): Promise<StoredChunk[]> {
  const filter = { must: [is('session_id', sessionId), is('type', 'chunk')] };
  const fields = ['content_hash', 'lexical_length', 'lexical_average'];
  const chunks: StoredChunk[] = [];
  for await (const point of scrollAll(connection, filter, fields, { page: PAGE, vectors: [BM25_CHUNK] })) {
    const counts = countsOf(point);
    if (counts !== null)
      chunks.push({ id: String(point.id), hash: String(point.payload?.content_hash), counts });
  }
  return chunks;
}

/** Only of texts that are still the ones that were read. */
function chunkOperations(chunks: StoredChunk[], average: number, hasConditions: boolean): UpdateOperation[] {
  const points = chunks.map(({ id, counts }) => ({
    id,
    vector: { [BM25_CHUNK]: toSparseVector(counts, average) },
  }));
  const same = anyOf(
    'content_hash',
    chunks.map(({ hash }) => hash),
  );
  const must = [{ has_id: chunks.map(({ id }) => id) }, same];
  return [
    { update_vectors: { points, ...(hasConditions && { update_filter: { must: [same] } }) } },
    { set_payload: { payload: { lexical_average: average }, filter: { must } } },
  ];
}

/** The mark goes only from the state that was read: a session that grew meanwhile stays marked. */
function sessionOperations(
  id: string,
  hash: string,
  counts: TokenCounts,
  average: number,
): UpdateOperation[] {
  const vector: UpdateOperation =
    counts.length === 0
      ? { delete_vectors: { points: [id], vector: [BM25_SESSION] } }
      : { update_vectors: { points: [{ id, vector: { [BM25_SESSION]: toSparseVector(counts, average) } }] } };
  const payload = { stale_tokens: false, lexical_length: counts.length, lexical_average: average };
  return [
    vector,
    { set_payload: { payload, filter: { must: [{ has_id: [id] }, is('content_hash', hash)] } } },
  ];
}

async function followDrift(context: WriteContext, signal: AbortSignal | undefined): Promise<void> {
  const record = await readRecord(context.connection);
  if (record.session_average === null || record.chunk_average === null) return;
  const lengths = await measureSessions(context);
  if (lengths.sessions === 0 || lengths.chunks === 0) return;
  const now = { session: lengths.tokens / lengths.sessions, chunk: lengths.tokens / lengths.chunks };
  const chunksToo = isFar(now.chunk, record.chunk_average);
  if (!chunksToo && !isFar(now.session, record.session_average)) return;
  const averages = {
    session: Math.round(now.session),
    chunk: chunksToo ? Math.round(now.chunk) : record.chunk_average,
  };
  await forEachParallel(lengths.ids, context.batches.requests, async (sessionId) => {
    if (!signal?.aborted) await refreshSession(context, sessionId, averages, chunksToo);
  });
  if (signal?.aborted) return;
  await updateRecord(context.connection, {
    session_average: averages.session,
    chunk_average: averages.chunk,
  });
}

interface Lengths {
  ids: string[];
  sessions: number;
  chunks: number;
  tokens: number;
}

async function measureSessions({ connection }: WriteContext): Promise<Lengths> {
  const lengths: Lengths = { ids: [], sessions: 0, chunks: 0, tokens: 0 };
  const filter = { must: [is('type', 'session')] };
  const fields = ['session_id', 'lexical_length', 'chunk_count'];
  for await (const { payload } of scrollAll(connection, filter, fields, { page: 1000 })) {
    const tokens = Number(payload?.lexical_length ?? 0);
    if (tokens === 0) continue;
    lengths.ids.push(String(payload?.session_id));
    lengths.sessions += 1;
    lengths.chunks += Number(payload?.chunk_count ?? 0);
    lengths.tokens += tokens;
  }
  return lengths;
}

function isFar(now: number, then: number): boolean {
  return now > then * DRIFT || then > now * DRIFT;
}

function countsOf({ payload, vector }: PointRecord): TokenCounts | null {
  const { lexical_length: length, lexical_average: average }: Record<string, unknown> = { ...payload };
  const named: Record<string, unknown> = { ...(typeof vector === 'object' ? vector : {}) };
  if (typeof length !== 'number' || typeof average !== 'number' || !isSparse(named[BM25_CHUNK])) return null;
  return fromSparseVector(named[BM25_CHUNK], length, average);
}

function isSparse(value: unknown): value is SparseVector {
  return typeof value === 'object' && value !== null && 'indices' in value && 'values' in value;
}
