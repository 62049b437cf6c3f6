import type { LexicalTokenizer, QueryWord } from './lexical.ts';

/** From this probability on, the first result is marked Recommended. */
export const RECOMMENDED_FROM = 0.7;

/** Below this share of the query, a match means little, however far ahead it is. */
const ENOUGH_COVERAGE = 0.6;

/**
 * How likely the first result is the right one: a logistic model fitted on commit subjects and their sessions
 * (docs/ranking.md). There, the best passage contained most of the query. With less of it, a single rare word could make a
 * session look certain, so the probability is scaled down.
 * @param coverage IDF-weighted share of the query's stems in the best chunk of the first session, 0 to 1.
 * @param gap first score minus second, both without recency.
 */
export function confidence(coverage: number, gap: number): number {
  const fitted = 1 / (1 + Math.exp(-(4.8 * coverage + 6.07 * gap - 4.62)));
  return fitted * Math.min(1, coverage / ENOUGH_COVERAGE);
}

/** Inverse document frequency of BM25; highest for a token that occurs nowhere. */
export function idf(documents: number, withToken: number): number {
  return Math.log(1 + (documents - withToken + 0.5) / (withToken + 0.5));
}

/** The words that are not stop words, possibly none. */
export function contentWords(words: QueryWord[]): QueryWord[] {
  return words.filter(({ stop }) => !stop);
}

/** IDF of each stem of the query, without stop words. */
export function weighWords(
  words: QueryWord[],
  documents: number,
  withStem: Map<string, number>,
): Map<string, number> {
  return new Map(contentWords(words).map(({ stem }) => [stem, idf(documents, withStem.get(stem) ?? 0)]));
}

/** The largest weighted share of the stems found in one of the texts. */
export function coverage(texts: string[], stems: Map<string, number>, tokenizer: LexicalTokenizer): number {
  const total = sum(stems.values());
  if (total === 0) return 0;
  const wanted = new Set(stems.keys());
  const shares = texts.map((text) => {
    const held = new Set(tokenizer.locate(text, wanted).map(({ stem }) => stem));
    return sum([...held].map((stem) => stems.get(stem) ?? 0)) / total;
  });
  return Math.max(0, ...shares);
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
