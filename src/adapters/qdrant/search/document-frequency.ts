import { BM25_CHUNK, BM25_SESSION } from '../schema/collection-shape.ts';
import { is } from '../schema/filters.ts';
import { hashToken } from '../schema/sparse.ts';
import type { QueryRequest, ScoredPoint } from '../types.ts';

/**
 * Documents are counted up to this limit, which means "this many or more". The count of chunks weighs the words of a query, for
 * which 24 would do (docs/qdrant.md); the count of sessions is displayed. A hit takes 80 bytes.
 */
const MAX_COUNTED = { chunks: 100, sessions: 1000 };

/**
 * One search per token; its hits are the documents that contain the token. The server offers nothing cheaper: count and facet see
 * only payloads, and each shard has its own inverse document frequency.
 */
export function frequencySearches(tokens: string[], among: keyof typeof MAX_COUNTED): QueryRequest[] {
  return tokens.map((token) => ({
    query: { indices: [hashToken(token)], values: [1] },
    using: among === 'chunks' ? BM25_CHUNK : BM25_SESSION,
    filter: { must: [is('type', among === 'chunks' ? 'chunk' : 'session')] },
    limit: MAX_COUNTED[among],
    with_payload: false,
  }));
}

/** The answers to `frequencySearches`, by token. */
export function frequenciesIn(tokens: string[], answers: ScoredPoint[][]): Map<string, number> {
  return new Map(tokens.map((token, at) => [token, answers[at]?.length ?? 0]));
}
