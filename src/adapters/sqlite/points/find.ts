import {
  type Hit,
  listLimits,
  MAX_PHRASING_TOKENS,
  MAX_TOKENS,
  numbersIn,
  type Phrasing,
  type RankedLists,
  rarestTokens,
} from '../../../domain/search/search.ts';
import type { Findings, FindQuery, StoredModel } from '../../../ports/point-store.ts';
import type { Database } from '../database/open-database.ts';
import { coverageOf } from './list-sessions.ts';
import { searchLists } from './search-lists.ts';
import type { TokenCounts } from './token-counts.ts';
import type { VectorTables } from './vectors.ts';

/** See PointStore.find. Sessions and passages are left to `getSessions` and `getPoints`: here a second question is free. */
export function find(
  database: Database,
  counts: TokenCounts,
  vectors: VectorTables,
  query: FindQuery,
): Findings {
  const coverage = query.coverage ?? coverageOf(database, null);
  const model = vectors.model();
  const limits = query.limits ?? listLimits(coverage.sessions);
  const listsOf = (phrasing: Phrasing, most: number) => {
    const vector = numbersIn(phrasing.vector);
    return searchLists(database, counts, vectors, {
      tokens: phrasing.tokens && cutTokens(counts, phrasing.tokens, most),
      vector: vector !== null && fits(vector, model) ? vector : null,
      filter: query.filter,
      limits,
    });
  };
  const lists = listsOf(query, MAX_TOKENS);
  const { of, among } = query.frequencies ?? { of: [], among: 'chunks' };
  return {
    lists,
    also: (query.also ?? []).map((phrasing) => listsOf(phrasing, MAX_PHRASING_TOKENS)),
    model,
    coverage,
    frequencies: counts.frequencies(among === 'chunks' ? 'chunk_fts' : 'session_fts', of),
    chunkScores: query.chunkScores === true ? scoreChunks(vectors, lists, numbersIn(query.vector)) : [],
    sessions: [],
    points: [],
  };
}

function cutTokens(counts: TokenCounts, tokens: string[], most: number): string[] {
  if (tokens.length <= most) return tokens;
  return rarestTokens(tokens, counts.frequencies('chunk_fts', tokens), most);
}

/** Vectors of two models may differ in length. */
function fits(vector: Float32Array, model: StoredModel | null): boolean {
  return model === null || model.dimensions === vector.length;
}

function scoreChunks(
  vectors: VectorTables,
  { chunksByVector }: RankedLists,
  vector: Float32Array | null,
): Hit[] {
  const ids = new Set(chunksByVector?.map(({ session_id }) => session_id));
  return vectors.scoreChunks([...ids], vector);
}
