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

/** How common words are among texts that are not at hand. */
export interface WordCounts {
  texts: number;
  holders: Map<string, number>;
}

/** The texts that hold one of the tokens, best first. A word is as rare as it is in these and in `more` together. */
export function rankByWords<T extends CountedText>(
  texts: T[],
  tokens: string[],
  more: WordCounts = { texts: 0, holders: new Map() },
): { text: T; score: number }[] {
  const average = texts.reduce((sum, { length }) => sum + length, 0) / Math.max(1, texts.length);
  const total = texts.length + more.texts;
  const weights = [...holdersOf(texts, tokens)].map(
    ([token, holders]) => [token, idf(total, holders + (more.holders.get(token) ?? 0))] as const,
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

/**
 * What FTS5's scores of some texts are to be multiplied with, to stand beside those of `rankByWords` over all: in a small
 * index a word that half of it holds weighs a millionth there.
 */
export function scaleOfIndex(tokens: string[], index: WordCounts, all: WordCounts): number {
  let [before, after] = [0, 0];
  for (const token of tokens) {
    const holders = index.holders.get(token) ?? 0;
    if (holders === 0) continue;
    before += Math.max(1e-6, Math.log((index.texts - holders + 0.5) / (holders + 0.5)));
    after += idf(all.texts, all.holders.get(token) ?? holders);
  }
  return before === 0 ? 1 : after / before;
}
