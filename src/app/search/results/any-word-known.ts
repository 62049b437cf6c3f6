import type { LexicalTokenizer, QueryWord } from '../../../domain/search/lexical.ts';
import type { Findings, PointStore } from '../../../ports/point-store.ts';

/** Whether a content word or a part of one occurs anywhere. If not, stop words would decide the ranking. */
export async function isAnyWordKnown(
  { store, tokenizer }: { store: PointStore; tokenizer: LexicalTokenizer },
  texts: string[],
  words: QueryWord[],
  { lists, also, coverage, frequencies }: Findings,
): Promise<boolean> {
  const isEmpty = [lists, ...also].every((one) => !one.sessionsByWords?.length && !one.chunksByWords?.length);
  if (isEmpty || words.length === 0) return true;
  if (words.some(({ stem }) => (frequencies.get(stem) ?? 0) > 0)) return true;
  const stops = tokenizer
    .words(texts.join(' '))
    .flatMap(({ word, stop }) => (stop ? tokenizer.tokens(word) : []));
  const of = tokenizer.tokens(texts.join('\n')).filter((token) => !stops.includes(token));
  const counted = await store.find({
    tokens: null,
    vector: null,
    filter: {},
    coverage,
    frequencies: { of, among: 'sessions' },
  });
  return of.some((token) => (counted.frequencies.get(token) ?? 0) > 0);
}
