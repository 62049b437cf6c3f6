import {
  type Coverage,
  type Hit,
  listLimits,
  MAX_PHRASING_TOKENS,
  MAX_TOKENS,
  numbersIn,
  type Phrasing,
  type RankedLists,
  rarestTokens,
} from '../../../domain/search/search.ts';
import {
  type Findings,
  type FindQuery,
  NOTHING_FOUND,
  type StoredModel,
} from '../../../ports/point-store.ts';
import type { Database } from '../database/open-database.ts';
import { searchMemory } from '../memory/search-memory.ts';
import type { VectorTables } from '../vectors/vector-tables.ts';
import { searchLists } from './search-lists.ts';
import type { TokenCounts } from './token-counts.ts';
import type { WordTable } from './word-tables.ts';

/** See PointStore.find. */
export function find(
  database: Database,
  counts: TokenCounts,
  vectors: VectorTables,
  query: FindQuery & { coverage: Coverage },
): Findings {
  const { coverage, filter, chunksOnly = false } = query;
  const model = vectors.model();
  const limits = query.limits ?? listLimits(coverage.sessions);
  const cut = (phrasing: Phrasing, most: number, table: WordTable = 'chunk_fts') => {
    const vector = numbersIn(phrasing.vector);
    return {
      tokens: phrasing.tokens && cutTokens(counts, table, phrasing.tokens, most),
      vector: vector !== null && fits(vector, model) ? vector : null,
    };
  };
  if (query.memory !== undefined) {
    const memory = searchMemory(database, counts, vectors, {
      ...cut(query, MAX_TOKENS, 'memory_fts'),
      filter: query.memory,
    });
    return { ...NOTHING_FOUND, memory, model, coverage };
  }
  const [lists = NOTHING_FOUND.lists, ...also] = searchLists(database, counts, vectors, {
    phrasings: [
      cut(query, MAX_TOKENS),
      ...(query.also ?? []).map((phrasing) => cut(phrasing, MAX_PHRASING_TOKENS)),
    ],
    filter,
    limits,
    chunksOnly,
  });
  const { of, among } = query.frequencies ?? { of: [], among: 'chunks' };
  return {
    lists,
    also,
    model,
    coverage,
    frequencies: counts.frequencies(among === 'chunks' ? 'chunk_fts' : 'session_fts', of),
    chunkScores: query.chunkScores === true ? scoreChunks(vectors, lists, numbersIn(query.vector)) : [],
  };
}

function cutTokens(counts: TokenCounts, table: WordTable, tokens: string[], most: number): string[] {
  if (tokens.length <= most) return tokens;
  return rarestTokens(tokens, counts.frequencies(table, tokens), most);
}

/** Vectors of different models may differ in length. */
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
