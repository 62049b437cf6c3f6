import { distance } from 'fastest-levenshtein';

/** Shorter words are too similar to others. */
const MIN_LENGTH = 4;
/** From this length on, a word may have two typing errors: a swapped pair counts as two. */
const LONG = 7;

/**
 * The word of a vocabulary that was probably meant: with the fewest letters changed, and of those the most frequent. Null if none
 * is similar, or the word is there.
 * @param vocabulary words in lower case, and how often each occurs.
 */
export function findSimilarWord(word: string, vocabulary: Map<string, number>): string | null {
  const typed = word.toLowerCase();
  if (typed.length < MIN_LENGTH || vocabulary.has(typed)) return null;
  const most = typed.length < LONG ? 1 : 2;
  let best: { word: string; changed: number; count: number } | null = null;
  for (const [known, count] of vocabulary) {
    if (Math.abs(known.length - typed.length) > most) continue;
    const changed = distance(typed, known);
    if (changed > most) continue;
    if (best === null || changed < best.changed || (changed === best.changed && count > best.count))
      best = { word: known, changed, count };
  }
  return best?.word ?? null;
}
