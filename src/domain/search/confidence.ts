import type { LexicalTokenizer, QueryWord } from './lexical.ts';

/** How well a result fits, in words. */
export const STRENGTHS = ['strong', 'likely', 'possible', 'none'] as const;
export type Strength = (typeof STRENGTHS)[number];

/** Minimum certainty for each strength. */
const STRONG = 0.82;
const LIKELY = 0.5;
export const POSSIBLE = 0.15;

/** Minimum share of the query that a strong match covers, however far ahead it is. */
const ENOUGH_COVERAGE = 0.6;

/** How a result compares with the query and with the other results. */
export interface Evidence {
  /** Its score minus the best other score, without recency: negative for all but the first result. */
  gap: number;
  /** IDF-weighted share of the query's words in its best passages, 0 to 1; the mean over several phrasings. */
  coverage: number;
  /** The same share for its title. */
  titleCoverage: number;
  /** Number of words in the query, without stop words. */
  words: number;
  /** Whether there were further phrasings. */
  phrased: boolean;
}

/**
 * How likely a result is the right one, comparable between answers: a logistic model (docs/ranking.md). All
 * cases that it was fitted to and rates as strong had most of the query. With less, the certainty is capped: the only session with
 * a rare word is no strong match, nor is one that mentions the query's only word in passing.
 */
export function certaintyOf({ gap, coverage, titleCoverage, words, phrased }: Evidence): number {
  const evidence =
    4.51 * gap + 2.89 * coverage + 2.39 * titleCoverage + 0.58 * Math.log(1 + words) + (phrased ? 1.12 : 0);
  const fitted = 1 / (1 + Math.exp(-(evidence - 5.89)));
  const isWeak = coverage < ENOUGH_COVERAGE || (words === 1 && titleCoverage === 0);
  return isWeak ? Math.min(fitted, STRONG - 0.01) : fitted;
}

export function strengthOf(certainty: number): Strength {
  if (certainty >= STRONG) return 'strong';
  if (certainty >= LIKELY) return 'likely';
  return certainty >= POSSIBLE ? 'possible' : 'none';
}

/** Whether no result fits the query, neither alone nor together with others. */
export function nothingFits({ results, together = null }: Judged): boolean {
  return together === null && results.length > 0 && results.every(({ strength }) => strength === 'none');
}

/** With one or two words that so many sessions contain, any of them may be meant. */
const MANY_SESSIONS = 5;
const FEW_WORDS = 2;

/** The beginning of an answer for which `nothingFits`: no result matches well, or none of the many sessions with the words stands out. */
export function nothingFitsText(words: { sessions: number }[] = []): string {
  const isCommon =
    words.length > 0 && words.length <= FEW_WORDS && words.every(({ sessions }) => sessions >= MANY_SESSIONS);
  return isCommon ? 'No session stands out for' : 'No good match for';
}

interface Judged {
  results: { strength: Strength | null }[];
  /** The results that cover the query together; null or absent if there are none. */
  together?: object | null;
}

/** BM25's inverse document frequency; highest for a token that occurs nowhere. */
export function idf(documents: number, withToken: number): number {
  return Math.log(1 + (documents - withToken + 0.5) / (withToken + 0.5));
}

/** The words without stop words; may be empty. */
export function contentWords(words: QueryWord[]): QueryWord[] {
  return words.filter(({ stop }) => !stop);
}

/** The IDF of each stem of the query, without stop words. */
export function weighWords(
  words: QueryWord[],
  documents: number,
  withStem: Map<string, number>,
): Map<string, number> {
  return new Map(contentWords(words).map(({ stem }) => [stem, idf(documents, withStem.get(stem) ?? 0)]));
}

/** The weighted share of the stems in the text that contains most of them. */
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
