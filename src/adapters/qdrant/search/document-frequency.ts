import { BM25_CHUNK, BM25_SESSION } from '../schema/collection-shape.ts';
import { is } from '../schema/filters.ts';
import { holdersFromScore } from '../schema/sparse.ts';
import type { QueryRequest, ScoredPoint } from '../types.ts';

/** The server reports no document frequencies, so each token is searched for: few hits are counted, many are estimated. */
export interface FrequencySearch {
  requests: QueryRequest[];
  /** @param total number of chunks or sessions. */
  read(answers: ScoredPoint[][], total: number): Map<string, number>;
}

/** Up to this many hits are counted one by one. */
const COUNTED = { chunks: 24, sessions: 200 };
/** The vector of a hit tells the IDF exactly, but weighs 15 KB a token. */
const MOST_EXACT = 24;
/** What a token typically weighs in the best of many hits; none weighs more than 2.2. */
const BEST_VALUE = 1.8;

export function frequencySearch(
  tokens: string[],
  hash: (token: string) => number,
  among: 'chunks' | 'sessions',
): FrequencySearch {
  const counted = COUNTED[among];
  const isExact = among === 'chunks' && tokens.length <= MOST_EXACT;
  const size = isExact ? 2 : 1;
  return {
    requests: tokens.flatMap((token) => {
      const request = searchToken(hash(token), among, counted);
      return isExact ? [request, { ...request, limit: 1, with_vector: [BM25_CHUNK] }] : [request];
    }),
    read: (answers, total) =>
      new Map(
        tokens.map((token, at) => {
          const [hits = [], [withVector] = []] = answers.slice(size * at, size * (at + 1));
          if (hits.length < counted) return [token, hits.length];
          const value = isExact ? valueIn(withVector, hash(token)) : BEST_VALUE;
          const best = (isExact ? withVector : hits[0])?.score;
          if (value === null || best === undefined) return [token, hits.length];
          return [token, Math.max(counted, holdersFromScore(best, value, total))];
        }),
      ),
  };
}

function searchToken(index: number, among: 'chunks' | 'sessions', limit: number): QueryRequest {
  const isChunk = among === 'chunks';
  return {
    query: { indices: [index], values: [1] },
    using: isChunk ? BM25_CHUNK : BM25_SESSION,
    filter: { must: [is('type', isChunk ? 'chunk' : 'session')] },
    limit,
    with_payload: false,
  };
}

/** The weight of a token in a point's lexical vector. */
function valueIn(point: ScoredPoint | undefined, index: number): number | null {
  const sparse: unknown = Object(point?.vector)[BM25_CHUNK];
  const { indices, values }: { indices?: unknown; values?: unknown } = Object(sparse);
  if (!Array.isArray(indices) || !Array.isArray(values)) return null;
  const value: unknown = values[indices.indexOf(index)];
  return typeof value === 'number' ? value : null;
}
