import type { TokenStatistics } from '../../../domain/search/search.ts';
import type { Connection } from '../http/connection.ts';
import { BM25_CHUNK, BM25_SESSION } from '../schema/collection-shape.ts';
import { anyOf, is } from '../schema/filters.ts';
import { holdersFromScore } from '../schema/sparse.ts';
import type { QueryRequest, ScoredPoint } from '../types.ts';

/** Up to this many, holders are counted one by one; above, their number follows from the server's IDF. */
const COUNTED_CHUNKS = 24;
const COUNTED_SESSIONS = 200;
/** Of more tokens the server's IDF is guessed from the best hit: what is asked to know it weighs 15 KB a token. */
const MOST_WEIGHED = 24;
/** What the best of many chunks that hold a token say for it, about; no value is above 2.2. */
const BEST_VALUE = 1.8;

/**
 * How many sessions and chunks hold each token. The server has no such question, so a token is searched for: few hits are
 * counted, and for many the IDF that is in a hit's score is solved for the number of holders; roughly, when these are
 * many tokens, or sessions, whose vectors are long.
 */
export async function tokenStatistics(
  connection: Connection,
  hash: (token: string) => number,
  tokens: string[],
  only?: 'chunks' | 'sessions',
): Promise<TokenStatistics> {
  const unique = [...new Set(tokens)];
  const inChunks = only === 'sessions' ? [] : unique;
  const inSessions = only === 'chunks' ? [] : unique;
  const [types, sessionHits, chunkHits] = await Promise.all([
    connection.facet('type', { must: [anyOf('type', ['session', 'chunk'])] }),
    searchEach(connection, inSessions, (token) =>
      holders(hash(token), BM25_SESSION, 'session', COUNTED_SESSIONS),
    ),
    searchEach(connection, inChunks, (token) => holders(hash(token), BM25_CHUNK, 'chunk', COUNTED_CHUNKS)),
  ]);
  const of = (type: string) => types.find(({ value }) => value === type)?.count ?? 0;
  const chunksWith = new Map(inChunks.map((token, at) => [token, chunkHits[at]?.length ?? 0]));
  const common = inChunks.filter((_, at) => (chunkHits[at]?.length ?? 0) >= COUNTED_CHUNKS);
  const estimates =
    common.length > MOST_WEIGHED
      ? common.map((token) => [token, guessed(chunkHits[inChunks.indexOf(token)], of('chunk'))] as const)
      : await estimate(connection, hash, common);
  for (const [token, count] of estimates) chunksWith.set(token, count);
  return {
    sessionCount: of('session'),
    chunkCount: of('chunk'),
    sessionsWith: new Map(
      inSessions.map((token, at) => [token, guessed(sessionHits[at], of('session'), COUNTED_SESSIONS)]),
    ),
    chunksWith,
  };
}

/** Up to two searches a token, whose answers `chunkHolders` reads. */
export function holderSearches(tokens: string[], hash: (token: string) => number): QueryRequest[] {
  return tokens.flatMap((token) => [
    holders(hash(token), BM25_CHUNK, 'chunk', COUNTED_CHUNKS),
    ...(tokens.length > MOST_WEIGHED ? [] : [weighing(hash(token))]),
  ]);
}

/** @param total number of chunks. */
export function chunkHolders(
  tokens: string[],
  answers: ScoredPoint[][],
  hash: (token: string) => number,
  total: number,
): Map<string, number> {
  if (tokens.length > MOST_WEIGHED)
    return new Map(tokens.map((token, at) => [token, guessed(answers[at], total)]));
  return new Map(
    tokens.map((token, at) => {
      const [hits = [], [best] = []] = answers.slice(2 * at, 2 * at + 2);
      if (hits.length < COUNTED_CHUNKS || best === undefined) return [token, hits.length];
      return [token, estimated(best, hash(token), total) ?? hits.length];
    }),
  );
}

async function searchEach(
  connection: Connection,
  tokens: string[],
  request: (token: string) => QueryRequest,
): Promise<ScoredPoint[][]> {
  return tokens.length === 0 ? [] : connection.queryBatch(tokens.map(request));
}

function holders(index: number, using: string, type: string, limit: number): QueryRequest {
  return {
    query: { indices: [index], values: [1] },
    using,
    filter: { must: [is('type', type)] },
    limit,
    with_payload: false,
  };
}

async function estimate(
  connection: Connection,
  hash: (token: string) => number,
  tokens: string[],
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  if (tokens.length === 0) return counts;
  const [total, hits] = await Promise.all([
    connection.count({ must: [is('type', 'chunk'), { has_vector: BM25_CHUNK }] }),
    searchEach(connection, tokens, (token) => weighing(hash(token))),
  ]);
  for (const [at, token] of tokens.entries()) {
    const hit = hits[at]?.[0];
    const count = hit === undefined ? null : estimated(hit, hash(token), total);
    if (count !== null) counts.set(token, count);
  }
  return counts;
}

/** A hit that shows what the server makes of a token. */
function weighing(index: number): QueryRequest {
  return { ...holders(index, BM25_CHUNK, 'chunk', 1), with_vector: [BM25_CHUNK] };
}

/** From the hits of `holders`. */
function guessed(hits: ScoredPoint[] = [], total: number, counted = COUNTED_CHUNKS): number {
  const [best] = hits;
  if (hits.length < counted || best === undefined) return hits.length;
  return Math.max(counted, holdersFromScore(best.score, BEST_VALUE, total));
}

function estimated(hit: ScoredPoint, index: number, total: number): number | null {
  const value = valueIn(hit, index);
  return value === null ? null : Math.max(COUNTED_CHUNKS, holdersFromScore(hit.score, value, total));
}

/** What a point's lexical vector says for an index. */
function valueIn({ vector }: ScoredPoint, index: number): number | null {
  const sparse: unknown =
    vector !== null && typeof vector === 'object' && BM25_CHUNK in vector ? vector[BM25_CHUNK] : null;
  if (typeof sparse !== 'object' || sparse === null || !('indices' in sparse) || !('values' in sparse))
    return null;
  const { indices, values } = sparse;
  const value: unknown =
    Array.isArray(indices) && Array.isArray(values) ? values[indices.indexOf(index)] : null;
  return typeof value === 'number' ? value : null;
}
