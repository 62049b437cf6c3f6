import { SmartForkError } from '../errors.ts';
import { contentWords } from './coverage.ts';
import type { LexicalTokenizer, QueryWord } from './lexical.ts';
import {
  type Formula,
  PARTS,
  type Part,
  type RankedSession,
  rankSessions,
  type Weights,
  weightsFor,
} from './ranking.ts';
import type { RankedLists } from './search.ts';

export const MAX_PHRASINGS = 4;
export const LONGEST_QUERY = 4000;

/**
 * A query's further phrasings, without repetitions of it.
 * @throws SmartForkError USAGE for too many, empty or overlong ones.
 */
export function readPhrasings(query: string, also: string[]): string[] {
  if (also.length > MAX_PHRASINGS)
    throw invalid(`${also.length} further phrasings: at most ${MAX_PHRASINGS}`);
  for (const [at, text] of also.entries()) {
    if (text.trim() === '') throw invalid(`phrasing ${at + 1} is empty`);
    if (text.length > LONGEST_QUERY)
      throw invalid(
        `phrasing ${at + 1} has ${text.length.toLocaleString('en')} characters: at most ${LONGEST_QUERY.toLocaleString('en')}`,
      );
  }
  return [...new Set(also.map((text) => text.toWellFormed()))].filter((text) => text !== query);
}

/** Words of a further phrasing that count for certainty and quotations, and are highlighted in passages. */
const MAX_WORDS = 32;

export function wordsOfPhrasing(tokenizer: LexicalTokenizer, text: string): QueryWord[] {
  return contentWords(tokenizer.words(text)).slice(0, MAX_WORDS);
}

function invalid(message: string): SmartForkError {
  return new SmartForkError('USAGE', message, {
    hint: 'Give one to four other wordings, a line or two each.',
  });
}

export interface RankedByPhrasings extends RankedSession {
  /** Its score with each phrasing, without recency. */
  phrasings: number[];
  /** In what share of the lists that were searched it is the best. */
  first: number;
}

/** The weights averaged over the phrasings, each according to the lists searched for it. */
export function meanWeights(lists: RankedLists[], formula?: Formula): Weights {
  const weights = lists.map((one) => weightsFor(one, formula));
  return eachPart((part) => mean(weights.map((some) => some[part])));
}

/**
 * Ranks sessions by their mean score over all phrasings; a phrasing that does not find a session counts as 0. The passages shown are
 * those of the phrasing that matched best.
 * @param lists those of the query, then those of its further phrasings.
 */
export function rankPhrasings(lists: RankedLists[], now: number, formula?: Formula): RankedByPhrasings[] {
  const weights = lists.map((one) => weightsFor(one, formula));
  const byId = new Map<string, (RankedSession | null)[]>();
  for (const [at, one] of lists.entries()) {
    for (const session of rankSessions(one, weightsFor(one, formula), now, formula)) {
      const found = byId.get(session.session_id) ?? lists.map(() => null);
      found[at] = session;
      byId.set(session.session_id, found);
    }
  }
  const firsts = lists.flatMap((one) =>
    Object.values(one).flatMap((list) => (list === null ? [] : [list[0]])),
  );
  const shareFirst = (id: string) => firsts.filter((hit) => hit?.session_id === id).length / firsts.length;
  return [...byId]
    .map(([id, found]) => ({ ...sumOf(id, found, weights), first: shareFirst(id) }))
    .sort((a, b) => b.score - a.score || (a.session_id < b.session_id ? -1 : 1));
}

function sumOf(
  session_id: string,
  found: (RankedSession | null)[],
  weights: Weights[],
): Omit<RankedByPhrasings, 'first'> {
  const similarities = found.map((one) => one?.similarity ?? 0);
  const similarity = mean(similarities);
  const recency = found.find((one) => one !== null)?.parts.recency ?? 0;
  const parts = eachPart((part) => {
    const total = weights.reduce((sum, some) => sum + some[part], 0);
    if (total === 0) return 0;
    return weights.reduce((sum, some, at) => sum + some[part] * (found[at]?.parts[part] ?? 0), 0) / total;
  });
  return {
    session_id,
    score: similarity + (weights[0]?.recency ?? 0) * recency,
    similarity,
    parts: { ...parts, recency },
    best: {
      chunkByWords: bestBy(found, 'chunk_words')?.best.chunkByWords ?? null,
      chunkByVector: bestBy(found, 'chunk_vectors')?.best.chunkByVector ?? null,
      intent: bestBy(found, 'intent_vectors')?.best.intent ?? null,
    },
    phrasings: similarities,
  };
}

/** The phrasing with the highest value; the first of equals. */
function bestBy(found: (RankedSession | null)[], part: Part): RankedSession | null {
  return found.reduce((best, one) => ((one?.parts[part] ?? 0) > (best?.parts[part] ?? 0) ? one : best), null);
}

function eachPart(value: (part: Part) => number): Record<Part, number> {
  return Object.fromEntries(PARTS.map((part) => [part, value(part)])) as Record<Part, number>;
}

export function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
