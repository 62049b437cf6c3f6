import { contentWords } from './coverage.ts';
import type { LexicalTokenizer } from './lexical.ts';
import { recency } from './ranking.ts';

/** A fork of a session found by a search. */
export interface Selection {
  query: string;
  sessionId: string;
  /** ISO 8601 UTC. */
  chosenAt: string;
}

/** Minimum share of common words for two queries to be similar. */
const SIMILAR = 0.5;
const FADING_DAYS = 90;

/**
 * How strongly earlier choices favour each session, 0 to 1. A choice counts by its query's similarity and by its age; more choices
 * bring the value closer to 1 (docs/internals/ranking.md).
 * @param queries the query and its further phrasings; the most similar one counts.
 */
export function chosenBefore(
  queries: string[],
  selections: Selection[],
  tokenizer: LexicalTokenizer,
  now: number,
): Map<string, number> {
  const chosen = new Map<string, number>();
  if (selections.length === 0) return chosen;
  const stemsOf = (text: string) => new Set(contentWords(tokenizer.words(text)).map(({ stem }) => stem));
  const asked = queries.map(stemsOf);
  for (const { query, sessionId, chosenAt } of selections) {
    if (Date.parse(chosenAt) > now) continue;
    const stems = stemsOf(query);
    const similarity = Math.max(...asked.map((some) => shareInCommon(some, stems)));
    if (similarity < SIMILAR) continue;
    const value = similarity * recency(chosenAt, now, FADING_DAYS);
    chosen.set(sessionId, 1 - (1 - (chosen.get(sessionId) ?? 0)) * (1 - value));
  }
  return chosen;
}

/** Dice's coefficient of two sets of words. */
function shareInCommon(one: Set<string>, other: Set<string>): number {
  const total = one.size + other.size;
  if (total === 0) return 0;
  return (2 * [...one].filter((stem) => other.has(stem)).length) / total;
}
