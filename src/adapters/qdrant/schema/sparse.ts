import { K1, lengthBase, termWeight } from '../../../domain/search/bm25.ts';

/** How often each index occurs in a document, and how many tokens it has in all. */
export interface TokenCounts {
  counts: Map<number, number>;
  length: number;
}

export interface SparseVector {
  indices: number[];
  values: number[];
}

/** FNV-1a over UTF-16 units, mixed once more: a million tokens in 2^32 places meet about a hundred times. */
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

/** Tokens that share an index count as one. */
export function countTokens(stream: string, hash: (token: string) => number): TokenCounts {
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

/** The counts of documents one after the other. */
export function addCounts(parts: TokenCounts[]): TokenCounts {
  const counts = new Map<number, number>();
  for (const part of parts) {
    for (const [index, count] of part.counts) counts.set(index, (counts.get(index) ?? 0) + count);
  }
  return { counts, length: parts.reduce((sum, part) => sum + part.length, 0) };
}

/**
 * BM25 without its inverse document frequency, which the server multiplies in: f (k1 + 1) / (f + k1 (1 - b + b length / average)).
 * @param average tokens of a document, on the average.
 */
export function toSparseVector({ counts, length }: TokenCounts, average: number): SparseVector {
  const base = lengthBase(length, average);
  const indices = [...counts.keys()].sort((a, b) => a - b);
  const values = indices.map((index) => {
    const count = counts.get(index) ?? 0;
    return Math.round(termWeight(count, base) * 1e6) / 1e6;
  });
  return { indices, values };
}

/** The counts a vector was made of: the formula solved for f. Nothing but the vector is needed, the text may be sealed. */
export function fromSparseVector(
  { indices, values }: SparseVector,
  length: number,
  average: number,
): TokenCounts {
  const base = lengthBase(length, average);
  const counts = new Map<number, number>();
  for (const [at, index] of indices.entries()) {
    const value = values[at] ?? 0;
    counts.set(index, Math.max(1, Math.round((value * base) / Math.max(1e-6, K1 + 1 - value))));
  }
  return { counts, length };
}

/** Every token of a query counts once. */
export function queryVector(tokens: string[], hash: (token: string) => number): SparseVector {
  const indices = [...new Set(tokens.map(hash))].sort((a, b) => a - b);
  return { indices, values: indices.map(() => 1) };
}

/**
 * How many documents hold a token, from what the server made of a point's value: score = value x ln(1 + (N - n + 0.5) / (n + 0.5)).
 * @param total N, the number of documents.
 */
export function holdersFromScore(score: number, value: number, total: number): number {
  const holders = (total + 1) / Math.exp(score / value) - 0.5;
  return Math.min(total, Math.max(1, Math.round(holders)));
}
