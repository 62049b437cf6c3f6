import { takeTokens } from '../text/tokens.ts';

/** A part of a conversation that does not overlap with the next. */
export interface Passage {
  index: number;
  turn: number;
  timestamp: string | null;
  text: string;
}

interface PassageRequest {
  /** How well each passage matches the query; empty without a query. */
  scores: number[];
  /** Estimated tokens. */
  budget: number;
  /** Estimated tokens of a passage, including what is printed around it. */
  cost: (passage: Passage) => number;
}

/**
 * Picks the most informative passages within a budget: the beginning, the matches, the end.
 * @returns them in the order of the conversation; if not even the first passage fits, its beginning
 */
export function pickPassages(passages: Passage[], { scores, budget, cost }: PassageRequest): Passage[] {
  const hasQuery = scores.some((score) => score > 0);
  const picked = new Map<number, Passage>();
  let left = budget;
  /** Takes passages in the given order, up to a share of the budget. */
  const take = (candidates: Passage[], share: number, skipLarge: boolean): void => {
    let allowed = Math.min(share, left);
    for (const passage of candidates) {
      if (picked.has(passage.index)) continue;
      const tokens = cost(passage);
      if (tokens > allowed) {
        if (skipLarge) continue;
        return;
      }
      picked.set(passage.index, passage);
      allowed -= tokens;
      left -= tokens;
    }
  };
  take(passages, budget * (hasQuery ? 0.25 : 0.35), false);
  take(passages.toReversed(), budget * (hasQuery ? 0.25 : 0.65), false);
  if (hasQuery) {
    const matching = passages
      .map((passage, at) => ({ passage, score: scores[at] ?? 0 }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score);
    take(
      matching.map(({ passage }) => passage),
      left,
      true,
    );
  }
  take(passages, left, false);
  const cut = picked.size > 0 ? null : beginning(passages[0], budget, cost);
  if (cut !== null) picked.set(cut.index, cut);
  return [...picked.values()].sort((a, b) => a.index - b.index);
}

function beginning(
  passage: Passage | undefined,
  budget: number,
  cost: PassageRequest['cost'],
): Passage | null {
  if (passage === undefined) return null;
  const room = budget - cost({ ...passage, text: '' }) - 1;
  const text = room > 0 ? takeTokens(passage.text, room) : '';
  return text.trim() === '' ? null : { ...passage, text };
}
