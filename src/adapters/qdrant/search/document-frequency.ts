import { BM25_CHUNK, BM25_SESSION } from '../schema/collection-shape.ts';
import { is } from '../schema/filters.ts';
import type { QueryRequest, ScoredPoint } from '../types.ts';

/**
 * Documents are counted up to here; a higher number means "this many or more". Chunks weigh the words of a query, for which 24
 * would do (docs/qdrant.md); the number of sessions is shown. A hit is 80 bytes.
 */
const MOST_COUNTED = { chunks: 100, sessions: 1000 };

/**
 * A search per token, whose hits are the documents that contain it. The server has no cheaper question: count and facet see
 * payloads only, and its inverse document frequency is each shard's own.
 */
export function frequencySearches(
  tokens: string[],
  hash: (token: string) => number,
  among: keyof typeof MOST_COUNTED,
): QueryRequest[] {
  return tokens.map((token) => ({
    query: { indices: [hash(token)], values: [1] },
    using: among === 'chunks' ? BM25_CHUNK : BM25_SESSION,
    filter: { must: [is('type', among === 'chunks' ? 'chunk' : 'session')] },
    limit: MOST_COUNTED[among],
    with_payload: false,
  }));
}

/** The answers to `frequencySearches`, by token. */
export function frequenciesIn(tokens: string[], answers: ScoredPoint[][]): Map<string, number> {
  return new Map(tokens.map((token, at) => [token, answers[at]?.length ?? 0]));
}
