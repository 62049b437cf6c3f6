import { SmartForkError } from '../../../domain/errors.ts';
import {
  type Hit,
  type ListLimits,
  numbersIn,
  type Phrasing,
  type QueryVector,
  type RankedLists,
  type SessionFilter,
} from '../../../domain/search/search.ts';
import type { Connection } from '../http/connection.ts';
import { BM25_CHUNK, BM25_SESSION, DENSE } from '../schema/collection-shape.ts';
import { type Documents, queryDocumentOf } from '../schema/documents.ts';
import { type Conditions, range, timeOf, withTypes } from '../schema/filters.ts';
import { queryVector, type SparseVector } from '../schema/sparse.ts';
import { sessionEnd } from '../schema/stored-payload.ts';
import type { QueryRequest, Schemas, ScoredPoint } from '../types.ts';
import { conditionsOf } from './list-sessions.ts';
import type { RecentCounts } from './recent-counts.ts';

interface ListSearch {
  list: keyof RankedLists;
  request: QueryRequest;
}

interface ListQuery extends Phrasing {
  filter: SessionFilter;
  limits: ListLimits;
  chunksOnly: boolean;
}

export interface Searching {
  documents: Documents | null;
  counts: RecentCounts;
}

const LISTED = {
  sessionsByWords: 'sessions',
  chunksByWords: 'chunks',
  chunksByVector: 'chunks',
  intentsByVector: 'intents',
} as const satisfies Record<keyof RankedLists, keyof ListLimits>;
const HIT_FIELDS = ['session_id', 'session_ended_ms'];
const SCORE_PAGE = 2000;
const MAX_SESSIONS = 200;
/** Maximum number of chunks to score: a faulty server could return pages forever. */
const MAX_SCORED = 200_000;

/** @param answers one per search. Longer ones are cut to the limits. */
export function listsOf(
  query: Phrasing,
  searches: ListSearch[],
  answers: ScoredPoint[][],
  limits: ListLimits,
): RankedLists {
  const lists: RankedLists = {
    sessionsByWords: query.tokens === null ? null : [],
    chunksByWords: query.tokens === null ? null : [],
    chunksByVector: query.vector === null ? null : [],
    intentsByVector: query.vector === null ? null : [],
  };
  for (const [at, { list }] of searches.entries()) {
    lists[list] = (answers[at] ?? [])
      .flatMap((point) => hitOf(point, list === 'sessionsByWords'))
      .sort(byScore)
      .slice(0, limits[LISTED[list]]);
  }
  return lists;
}

/** The exact cosine of every chunk of the sessions, fetched page by page. */
export async function scoreChunks(
  connection: Connection,
  { documents }: Searching,
  sessionIds: string[],
  vector: QueryVector,
): Promise<Hit[]> {
  const hits: Hit[] = [];
  if (documents === null && numbersIn(vector) === null) return hits;
  for (let at = 0; at < sessionIds.length; at += MAX_SESSIONS) {
    const conditions = await conditionsOf(connection, {
      sessionIds: sessionIds.slice(at, at + MAX_SESSIONS),
    });
    if (conditions === null) continue;
    for (let offset = 0; offset < MAX_SCORED; offset += SCORE_PAGE) {
      const [points = []] = await connection.queryBatch([
        {
          query: queryOf(vector, documents),
          using: DENSE,
          filter: withTypes(conditions, ['chunk']),
          params: { exact: true },
          limit: SCORE_PAGE,
          offset,
          with_payload: HIT_FIELDS,
        },
      ]);
      hits.push(...points.flatMap((point) => hitOf(point, false)));
      if (points.length < SCORE_PAGE) break;
    }
  }
  return hits;
}

/** Rounded to 32-bit precision, for JSON. A vector with NaN or infinity becomes zero, which has no direction either. */
export function numbersOf(vector: Float32Array): number[] {
  const isBroken = !vector.every(Number.isFinite);
  return Array.from(vector, (value) => (isBroken ? 0 : Math.round(value * 1e7) / 1e7));
}

export function queryOf(vector: QueryVector, documents: Documents | null): number[] | Schemas['Document'] {
  if (vector instanceof Float32Array) return numbersOf(vector);
  if (documents !== null) return queryDocumentOf(documents, vector.text);
  throw new SmartForkError('MODEL_UNAVAILABLE', 'this store does not embed texts');
}

export function searchesOf(
  { tokens, vector, limits, filter, chunksOnly }: ListQuery,
  conditions: Conditions,
  { documents }: Searching,
): ListSearch[] {
  const asOf = endedBy(filter);
  const chunks = withTypes(conditions, ['chunk'], ...asOf('ended_ms'));
  const searches: ListSearch[] = [];
  if (tokens !== null && tokens.length > 0) {
    const keywords = queryVector(tokens);
    const sessions = withTypes(conditions, ['session'], ...asOf('session_ended_ms'));
    searches.push(
      {
        list: 'sessionsByWords',
        request: keywordSearch(keywords, BM25_SESSION, sessions, limits.sessions),
      },
      { list: 'chunksByWords', request: keywordSearch(keywords, BM25_CHUNK, chunks, limits.chunks) },
    );
  }
  if (vector !== null) {
    const dense = queryOf(vector, documents);
    const intents = withTypes(conditions, ['intent'], ...asOf('ended_ms'));
    searches.push(
      { list: 'chunksByVector', request: vectorSearch(dense, chunks, limits.chunks) },
      { list: 'intentsByVector', request: vectorSearch(dense, intents, limits.intents) },
    );
  }
  return chunksOnly ? searches.filter(({ list }) => LISTED[list] === 'chunks') : searches;
}

/** Only text written by then. If a session continued, its vector includes later text, so only its chunks count. */
function endedBy({ asOf }: SessionFilter): (field: string) => ReturnType<typeof range>[] {
  return (field) => (asOf ? [range(field, { gt: 0, lte: timeOf(asOf) })] : []);
}

export function keywordSearch(
  query: SparseVector,
  using: string,
  filter: QueryRequest['filter'],
  limit: number,
): QueryRequest {
  return { query, using, filter, limit, with_payload: HIT_FIELDS };
}

/** Candidates come from the 8-bit vectors in memory; scores are computed with the full ones. */
export function vectorSearch(
  query: ReturnType<typeof queryOf>,
  filter: QueryRequest['filter'],
  limit: number,
): QueryRequest {
  const params = { quantization: { rescore: true, oversampling: 1.5 } };
  return { query, using: DENSE, filter, limit, params, with_payload: HIT_FIELDS };
}

/** Empty for a point that names no session. */
export function hitOf({ id, score, payload }: ScoredPoint, isSession: boolean): Hit[] {
  const sessionId = payload?.session_id;
  if (typeof sessionId !== 'string') return [];
  const ended_at = sessionEnd(payload ?? {});
  return [{ session_id: sessionId, point_id: isSession ? '' : String(id), score, ended_at }];
}

export function byScore(a: Hit, b: Hit): number {
  return b.score - a.score || (`${a.point_id}${a.session_id}` < `${b.point_id}${b.session_id}` ? -1 : 1);
}
