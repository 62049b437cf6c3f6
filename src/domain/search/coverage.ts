import type { LexicalTokenizer, QueryWord } from './lexical.ts';
import { TOOL_LINE } from './snippet.ts';

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

/** How much a word counts that a passage has in passing, where 1 is a word that it says. */
const IN_PASSING = 0.3;
/** With more words, each of them may well occur once. */
const FEW_WORDS = 2;
/** How much the only word of a query counts that a passage says: it may occur anywhere by chance (docs/internals/ranking.md). */
const ALONE = 0.6;

/**
 * The same share, less for words that a passage has only in passing: in the lines of tool calls (a loop, a pattern), or only once, if
 * the query has one or two words. A single word never counts in full.
 */
export function saidCoverage(
  passages: string[],
  stems: Map<string, number>,
  tokenizer: LexicalTokenizer,
): number {
  const total = sum(stems.values());
  if (total === 0) return 0;
  const wanted = new Set(stems.keys());
  const enough = stems.size <= FEW_WORDS ? 2 : 1;
  const full = stems.size === 1 ? ALONE : 1;
  const shares = passages.map((text) => {
    const said = new Map<string, number>();
    for (const { stem, start } of tokenizer.locate(text, wanted))
      said.set(stem, (said.get(stem) ?? 0) + (TOOL_LINE.test(lineAt(text, start)) ? 0 : 1));
    return (
      sum([...said].map(([stem, times]) => (stems.get(stem) ?? 0) * (times >= enough ? full : IN_PASSING))) /
      total
    );
  });
  return Math.max(0, ...shares);
}

function lineAt(text: string, at: number): string {
  const end = text.indexOf('\n', at);
  return text.slice(text.lastIndexOf('\n', at) + 1, end < 0 ? text.length : end);
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
