import { idf } from '../../domain/search/coverage.ts';
import type { LexicalTokenizer } from '../../domain/search/lexical.ts';
import { makeSnippet, type Snippet } from '../../domain/search/snippet.ts';
import type { Turn } from '../sessions/conversation/turn.ts';

export interface TurnMatch {
  /** Counted from 1. */
  turn: number;
  /** Share of the query's words, weighted by rarity, 0 to 1. */
  score: number;
  snippet: Snippet;
}

/** The turns that contain words of a query, best first. Words that occur in few turns weigh more. */
export function matchTurns(turns: Turn[], query: string, tokenizer: LexicalTokenizer): TurnMatch[] {
  const words = tokenizer.words(query).filter(({ stop }) => !stop);
  const wanted = new Set(words.map(({ stem }) => stem));
  if (wanted.size === 0) return [];
  const texts = turns.map(textOf);
  const held = texts.map((text) => new Set(tokenizer.locate(text, wanted).map(({ stem }) => stem)));
  const weights = new Map(
    [...wanted].map((stem) => [stem, idf(turns.length, held.filter((stems) => stems.has(stem)).length)]),
  );
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  return turns
    .flatMap((turn, index) => {
      const stems = held[index] ?? new Set<string>();
      if (stems.size === 0) return [];
      const weight = [...stems].reduce((sum, stem) => sum + (weights.get(stem) ?? 0), 0);
      const snippet = makeSnippet(texts[index] ?? '', weights, tokenizer);
      return [{ turn: turn.index + 1, score: weight / total, snippet }];
    })
    .sort((a, b) => b.score - a.score || a.turn - b.turn);
}

/** A match is far from the end if this many turns, and this share of the conversation, come after it. */
const FAR_TURNS = 3;
const FAR_SHARE = 1 / 3;

/**
 * The turn at which to offer a fork: the last one that matches about as well as the best, if it is far from the end. Null: offer
 * the whole session.
 */
export function turnToForkAt(turns: Turn[], matches: TurnMatch[]): number | null {
  const best = matches[0];
  if (best === undefined) return null;
  const turn = matches
    .filter(({ score }) => score >= best.score * 0.8)
    .reduce((last, match) => Math.max(last, match.turn), 0);
  if (turns.length - turn < FAR_TURNS) return null;
  const sizes = turns.map((one) => textOf(one).length + one.tools.join('').length);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const after = sizes.slice(turn).reduce((sum, size) => sum + size, 0);
  return after >= total * FAR_SHARE ? turn : null;
}

function textOf({ before = '', user, assistant }: Turn): string {
  return `${before}${user}\n${assistant}`;
}
