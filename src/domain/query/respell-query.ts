/** The query with the words that were probably meant; null if there are none. */
export function respellQuery(query: string, words: { word: string; similar?: string }[]): string | null {
  const meant = new Map(
    words.flatMap(({ word, similar }) => (similar === undefined ? [] : [[word.toLowerCase(), similar]])),
  );
  if (meant.size === 0) return null;
  return query.replace(/\p{L}+/gu, (word) => meant.get(word.toLowerCase()) ?? word);
}
