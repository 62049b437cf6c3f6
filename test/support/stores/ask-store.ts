import type { Hit, QueryVector, RankedLists } from '../../../src/domain/search/search.ts';
import type { FindQuery, PointStore } from '../../../src/ports/point-store.ts';

const LIMITS = { sessions: 1000, chunks: 1000, intents: 1000 };
const NOTHING: FindQuery = { tokens: null, vector: null, filter: {} };

export async function searchLists(store: PointStore, query: FindQuery): Promise<RankedLists> {
  return (await store.find(query)).lists;
}

export async function scoreChunks(
  store: PointStore,
  sessionIds: string[],
  vector: QueryVector,
): Promise<Hit[]> {
  const query = { ...NOTHING, vector, filter: { sessionIds }, limits: LIMITS, chunkScores: true };
  return (await store.find(query)).chunkScores;
}

/** Document frequencies in chunks and in sessions, and the number of each. */
export async function tokenStatistics(store: PointStore, tokens: string[]) {
  const chunks = await store.find({ ...NOTHING, frequencies: { of: tokens, among: 'chunks' } });
  const sessions = await store.find({ ...NOTHING, frequencies: { of: tokens, among: 'sessions' } });
  return {
    sessionCount: sessions.coverage.sessions,
    chunkCount: chunks.coverage.chunks,
    sessionsWith: sessions.frequencies,
    chunksWith: chunks.frequencies,
  };
}

export async function countWaiting(store: PointStore): Promise<{ intents: number; chunks: number }> {
  return (await store.count()).waiting;
}

/** Stored vectors by point id. */
export async function vectorsIn(store: PointStore, ids: string[]): Promise<Map<string, Float32Array>> {
  const points = await store.getPoints(ids, { vectors: true });
  return new Map(points.flatMap(({ id, vector }) => (vector === undefined ? [] : [[id, vector]])));
}
