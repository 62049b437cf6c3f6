import type { LexicalTokenizer } from '../../../domain/search/lexical.ts';

/** A tokenizer for the results of one search: several parts of it look for the same words in the same passages. */
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
