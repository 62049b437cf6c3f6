import { idf } from './confidence.ts';

/** BM25 as FTS5 counts it. */
export const K1 = 1.2;
const B = 0.75;

/** What a document's length adds to a count below the line: k1 (1 - b + b length / average). */
export function lengthBase(length: number, average: number): number {
  return K1 * (1 - B + (B * length) / Math.max(1, average));
}

/** BM25 without the inverse document frequency: f (k1 + 1) / (f + base). */
export function termWeight(count: number, base: number): number {
  return (count * (K1 + 1)) / (count + base);
}

/** Some words of a text: how often it holds each, and how long it is, in whatever unit all of them are measured. */
export interface CountedText {
  counts: Map<string, number>;
  length: number;
}

/** How many texts hold each token. */
export function holdersOf(texts: CountedText[], tokens: string[]): Map<string, number> {
  const holders = new Map(tokens.map((token) => [token, 0]));
  for (const { counts } of texts) {
    for (const token of counts.keys()) {
      const known = holders.get(token);
      if (known !== undefined) holders.set(token, known + 1);
    }
  }
  return holders;
}

/** The texts that hold one of the tokens, best first. */
export function rankByWords<T extends CountedText>(
  texts: T[],
  tokens: string[],
): { text: T; score: number }[] {
  const average = texts.reduce((sum, { length }) => sum + length, 0) / Math.max(1, texts.length);
  const weights = [...holdersOf(texts, tokens)].map(
    ([token, holders]) => [token, idf(texts.length, holders)] as const,
  );
  return texts
    .filter(({ counts }) => counts.size > 0)
    .map((text) => ({ text, score: scoreOf(text, weights, average) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
}

function scoreOf(
  { counts, length }: CountedText,
  weights: (readonly [token: string, idf: number])[],
  average: number,
): number {
  const base = lengthBase(length, average);
  return weights.reduce((sum, [token, weight]) => {
    const count = counts.get(token);
    return count === undefined ? sum : sum + weight * termWeight(count, base);
  }, 0);
}
