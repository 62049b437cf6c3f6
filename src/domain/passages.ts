import { estimateTokens, takeTokens } from './tokens.ts';

/** A stretch of a conversation, in order, without repetition. */
export interface Passage {
  index: number;
  turn: number;
  timestamp: string | null;
  text: string;
}

/**
 * Picks the passages that say most within a number of tokens: how the session began, what matches, how it ended.
 * @param scores how well each passage fits the query; empty without a query.
 * @returns in the order of the conversation. A passage that is too long by itself is cut.
 */
export function pickPassages(passages: Passage[], scores: number[], budget: number): Passage[] {
  const hasQuery = scores.some((score) => score > 0);
  const picked = new Map<number, Passage>();
  let left = budget;
  const take = (passage: Passage | undefined, limit: number): boolean => {
    if (passage === undefined || picked.has(passage.index)) return true;
    const tokens = estimateTokens(passage.text) + PASSAGE_COST;
    const allowed = Math.min(limit, left);
    if (tokens <= allowed) {
      picked.set(passage.index, passage);
      left -= tokens;
      return true;
    }
    return false;
  };
  fill(passages, budget * (hasQuery ? 0.25 : 0.35), take);
  fill(passages.toReversed(), budget * (hasQuery ? 0.25 : 0.65), take);
  if (hasQuery) {
    const byScore = passages
      .map((passage, at) => ({ passage, score: scores[at] ?? 0 }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score);
    for (const { passage } of byScore) take(passage, left);
  }
  for (const passage of passages) if (!take(passage, left)) break;
  const first = passages[0];
  if (picked.size === 0 && first !== undefined && budget > PASSAGE_COST) {
    picked.set(first.index, { ...first, text: takeTokens(first.text, budget - PASSAGE_COST) });
  }
  return [...picked.values()].sort((a, b) => a.index - b.index);
}

/** What the heading of a passage costs in tokens. */
const PASSAGE_COST = 12;

function fill(passages: Passage[], share: number, take: (passage: Passage, limit: number) => boolean): void {
  let left = share;
  for (const passage of passages) {
    const cost = estimateTokens(passage.text) + PASSAGE_COST;
    if (cost > left || !take(passage, left)) return;
    left -= cost;
  }
}
