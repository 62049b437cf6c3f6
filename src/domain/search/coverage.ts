import type { LexicalTokenizer, QueryWord } from './lexical.ts';

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
