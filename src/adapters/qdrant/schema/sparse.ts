import { lengthBase, termWeight } from '../../../domain/search/bm25.ts';

/**
 * Average tokens of a session, of a chunk, and of an idea or span, for BM25's length normalization. Constants suffice: the chunker
 * determines the length of chunks (measured: 970 tokens for Claude Code and for Codex), and ranks hardly depend on either
 * (docs/qdrant.md).
 */
export const AVERAGE_LENGTH = { session: 5000, chunk: 1000, memory: 100 };

/** How often each index occurs in a document, and its number of tokens. */
export interface TokenCounts {
  counts: Map<number, number>;
  length: number;
}

export interface SparseVector {
  indices: number[];
  values: number[];
}

/**
 * The words of ideas and spans share the chunks' lexical vector, because a collection cannot get another vector later. Hashed to
 * different tokens, they do not count in the document frequencies of chunks.
 */
export function hashMemoryToken(token: string): number {
  return hashToken(`memory ${token}`);
}

/** Every machine must use the same function. FNV-1a over UTF-16 units, mixed once more: a million tokens collide about a hundred times in 2^32. */
export function hashToken(token: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < token.length; at += 1) {
    const unit = token.charCodeAt(at);
    hash = Math.imul(hash ^ (unit & 0xff), 0x01000193);
    hash = Math.imul(hash ^ (unit >> 8), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Tokens with the same index count as one. */
export function countTokens(stream: string, hash = hashToken): TokenCounts {
  const counts = new Map<number, number>();
  let length = 0;
  for (const token of stream.split(' ')) {
    if (token === '') continue;
    const index = hash(token);
    counts.set(index, (counts.get(index) ?? 0) + 1);
    length += 1;
  }
  return { counts, length };
}

/**
 * BM25 without inverse document frequency, which the server applies: f (k1 + 1) / (f + k1 (1 - b + b length / average)).
 */
export function toSparseVector(
  { counts, length }: TokenCounts,
  kind: keyof typeof AVERAGE_LENGTH,
): SparseVector {
  const base = lengthBase(length, AVERAGE_LENGTH[kind]);
  const indices = [...counts.keys()].sort((a, b) => a - b);
  const values = indices.map((index) => Math.round(termWeight(counts.get(index) ?? 0, base) * 1e6) / 1e6);
  return { indices, values };
}

/** Every token of a query counts once. */
export function queryVector(tokens: string[], hash = hashToken): SparseVector {
  const indices = [...new Set(tokens.map(hash))].sort((a, b) => a - b);
  return { indices, values: indices.map(() => 1) };
}
