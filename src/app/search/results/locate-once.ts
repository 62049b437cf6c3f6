import type { LexicalTokenizer } from '../../../domain/search/lexical.ts';

/** Caches word positions for one search, which looks for the same words in the same passages several times. */
export function locateOnce(tokenizer: LexicalTokenizer, stems: Set<string>): LexicalTokenizer {
  const known = new Map<string, ReturnType<LexicalTokenizer['locate']>>();
  return {
    ...tokenizer,
    locate(text, wanted) {
      const places = known.get(text) ?? tokenizer.locate(text, stems);
      known.set(text, places);
      return places.filter(({ stem }) => wanted.has(stem));
    },
  };
}
