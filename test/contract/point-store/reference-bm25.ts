const K1 = 1.2;
const B = 0.75;

/** Documents that hold a query token, best first, by BM25 as it is in the textbooks. */
export function bm25Ranking(
  documents: { id: string; tokens: string }[],
  query: string[],
): { id: string; score: number }[] {
  const split = documents.map(({ id, tokens }) => ({ id, tokens: tokens.split(' ').filter(Boolean) }));
  const average = split.reduce((sum, { tokens }) => sum + tokens.length, 0) / split.length;
  const scored = split.map(({ id, tokens }) => {
    const score = query.reduce((sum, token) => {
      const frequency = tokens.filter((one) => one === token).length;
      const holders = split.filter((one) => one.tokens.includes(token)).length;
      const idf = Math.log((split.length - holders + 0.5) / (holders + 0.5) + 1);
      return sum + (idf * frequency * (K1 + 1)) / (frequency + K1 * (1 - B + (B * tokens.length) / average));
    }, 0);
    return { id, score };
  });
  return scored.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score);
}
