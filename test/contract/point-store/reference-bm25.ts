const K1 = 1.2;
const B = 0.75;

export interface Scored {
  id: string;
  /** With both common inverse document frequencies: Robertson's, cut off at 0 (FTS5), and Lucene's (Qdrant). */
  scores: [number, number];
}

/**
 * The documents that contain a query token, with their textbook BM25.
 * @param given average tokens per document; computed from the documents if absent.
 */
export function bm25Scores(
  documents: { id: string; tokens: string }[],
  query: string[],
  given?: number,
): Scored[] {
  const split = documents.map(({ id, tokens }) => ({ id, tokens: tokens.split(' ').filter(Boolean) }));
  const average = given ?? split.reduce((sum, { tokens }) => sum + tokens.length, 0) / split.length;
  const rarity = query.map((token) => {
    const containing = split.filter(({ tokens }) => tokens.includes(token)).length;
    const odds = (split.length - containing + 0.5) / (containing + 0.5);
    return [Math.max(1e-6, Math.log(odds)), Math.log(odds + 1)] as const;
  });
  const scored = split.map(({ id, tokens }): Scored => {
    const parts = query.map((token) => {
      const frequency = tokens.filter((one) => one === token).length;
      return (frequency * (K1 + 1)) / (frequency + K1 * (1 - B + (B * tokens.length) / average));
    });
    const sum = (kind: 0 | 1) =>
      parts.reduce((total, part, at) => total + part * (rarity[at]?.[kind] ?? 0), 0);
    return { id, scores: [sum(0), sum(1)] };
  });
  return scored.filter(({ scores }) => scores[1] > 0);
}
