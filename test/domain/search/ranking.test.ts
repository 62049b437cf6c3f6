import { describe, expect, it } from 'vitest';
import {
  type Formula,
  rankSessions,
  recency,
  STANDARD,
  weightsFor,
} from '../../../src/domain/search/ranking.ts';
import { prdScore } from '../../../src/domain/search/ranking-prd.ts';
import type { Hit, RankedLists } from '../../../src/domain/search/search.ts';
import type { Marker } from '../../../src/domain/session/session.ts';

const NOW = Date.parse('2026-07-08T00:00:00.000Z');
const NONE: RankedLists = {
  sessionsByWords: null,
  chunksByWords: null,
  chunksByVector: null,
  intentsByVector: null,
};

describe('the default ranking', () => {
  it('ranks by .35 s + .35 u + .15 c + .15 i + .05 exp(-age/7)', () => {
    const lists: RankedLists = {
      sessionsByWords: [hit('a', 12), hit('b', 6)],
      chunksByWords: [hit('b', 8, 'b1'), hit('a', 6, 'a1'), hit('b', 4, 'b2')],
      chunksByVector: [hit('a', 0.9, 'a2'), hit('c', 0.7, 'c1'), hit('b', 0.5, 'b1')],
      intentsByVector: [hit('c', 0.6, 'c0'), hit('a', 0.4, 'a0'), hit('b', 0.2, 'b0')],
    };
    const fresh = 0.05 * Math.exp(-1);
    const [first, second, third] = rankSessions(lists, weightsFor(lists), NOW);
    expect(first).toMatchObject({ session_id: 'a' });
    expect(first?.score).toBeCloseTo(0.35 * 1 + 0.35 * 0.75 + 0.15 * 1 + 0.15 * 0.5 + fresh, 10);
    expect(second).toMatchObject({ session_id: 'b' });
    expect(second?.score).toBeCloseTo(0.35 * 0.5 + 0.35 * 1 + 0.15 * 0 + 0.15 * 0 + fresh, 10);
    expect(third).toMatchObject({ session_id: 'c' });
    expect(third?.score).toBeCloseTo(0.15 * 0.5 + 0.15 * 1 + fresh, 10);
    expect(first?.similarity).toBeCloseTo((first?.score ?? 0) - fresh, 10);
    expect(second?.best).toMatchObject({ chunkByWords: { point_id: 'b1' }, intent: { point_id: 'b0' } });
  });

  it('redistributes the weights of missing lists: .5/.5 for keywords, .4/.4/.2 with intents', () => {
    const words = { ...NONE, sessionsByWords: [], chunksByWords: [] };
    const parts = (lists: RankedLists) => Object.values(weightsFor(lists));
    expect(parts(words)).toEqual([0.5, 0.5, 0, 0, 0.05]);
    expect(parts({ ...words, intentsByVector: [] })).toEqual([0.4, 0.4, 0, 0.2, 0.05]);
    expect(parts({ ...words, chunksByVector: [], intentsByVector: [] })).toEqual([
      0.35, 0.35, 0.15, 0.15, 0.05,
    ]);
    expect(parts({ ...NONE, chunksByVector: [], intentsByVector: [] })).toEqual([0, 0, 0.5, 0.5, 0.05]);
  });

  it('ranks independently of the scale of scores', () => {
    const lists = { ...NONE, sessionsByWords: [hit('a', 5), hit('b', 2)], chunksByWords: [hit('b', 3, 'x')] };
    const scaled = {
      ...NONE,
      sessionsByWords: [hit('a', 5000), hit('b', 2000)],
      chunksByWords: [hit('b', 0.003, 'x')],
    };
    const scores = (given: RankedLists) =>
      rankSessions(given, weightsFor(given), NOW).map(({ score }) => score);
    for (const [at, score] of scores(lists).entries()) expect(scores(scaled)[at]).toBeCloseTo(score, 10);
  });

  it('gives a single vector hit its full weight, and never returns NaN', () => {
    const lists = {
      ...NONE,
      chunksByVector: [hit('a', -0.2, 'x')],
      intentsByVector: [],
      sessionsByWords: [hit('a', 0)],
    };
    const [only] = rankSessions(lists, weightsFor(lists), NOW);
    expect(only?.parts).toMatchObject({ chunk_vectors: 1, session_words: 0 });
    expect(Number.isFinite(only?.score)).toBe(true);
  });

  it('breaks ties by id, so that repeated searches agree', () => {
    const lists = { ...NONE, sessionsByWords: [hit('b', 1), hit('a', 1), hit('c', 1)], chunksByWords: [] };
    expect(rankSessions(lists, weightsFor(lists), NOW).map(({ session_id }) => session_id)).toEqual([
      'a',
      'b',
      'c',
    ]);
  });

  it('treats a future time as now, and a missing time as never', () => {
    expect(recency('2026-08-01T00:00:00.000Z', NOW, 7)).toBe(1);
    expect(recency(null, NOW, 7)).toBe(0);
    expect(recency('2026-07-01T00:00:00.000Z', NOW, 7)).toBeCloseTo(Math.exp(-1), 10);
  });
});

describe('the settings of recency', () => {
  it('change how long it lasts, or turn it off', () => {
    const lists = { ...NONE, sessionsByWords: [hit('a', 1)] };
    const score = (formula: Partial<Formula>) => {
      const all = { ...STANDARD, ...formula };
      return rankSessions(lists, weightsFor(lists, all), NOW, all)[0]?.score;
    };
    expect(score({})).toBeCloseTo(0.5 + 0.05 * Math.exp(-1), 10);
    expect(score({ recencyDays: 70 })).toBeCloseTo(0.5 + 0.05 * Math.exp(-0.1), 10);
    expect(score({ recentBoost: false })).toBe(0.5);
  });
});

describe("the requirements' formula", () => {
  it('reproduces the examples in the requirements', () => {
    const similarities = [
      0.87,
      0.32,
      0.41,
      ...Array.from({ length: 5 }, () => 0.35),
      ...Array.from({ length: 15 }, () => 0.2),
    ];
    const { parts } = scoreOf(similarities, daysAgo(5));
    expect(parts.best_similarity).toBe(0.87);
    expect(parts.chunk_ratio).toBeCloseTo(8 / 23, 10);
    expect(parts.chunk_ratio).toBeCloseTo(0.35, 2);
    expect(parts.recency).toBeCloseTo(0.85, 2);
    expect(parts.chain_quality).toBe(0.5);
    expect(scoreOf([], daysAgo(60)).parts.recency).toBeCloseTo(0.14, 2);
  });

  it('adds the weighted parts', () => {
    const { score } = scoreOf([0.87, 0.17], daysAgo(5));
    const expected = 0.87 * 0.4 + 0.52 * 0.2 + 0.5 * 0.05 + Math.exp(-5 / 30) * 0.25 + 0.5 * 0.1;
    expect(score).toBeCloseTo(expected, 10);
  });

  it('counts whole days and similarities above 0.3', () => {
    expect(scoreOf([0.3], daysAgo(0.9)).parts).toMatchObject({ chunk_ratio: 0, recency: 1 });
  });

  it('boosts by the strongest memory marker', () => {
    const plain = scoreOf([0.5], daysAgo(1)).score;
    const boosted = (...markers: ('PATTERN' | 'WORKING_SOLUTION' | 'WAITING')[]) =>
      scoreOf([0.5], daysAgo(1), { markers }).score / plain;
    expect(boosted('PATTERN')).toBeCloseTo(1.05, 10);
    expect(boosted('WORKING_SOLUTION')).toBeCloseTo(1.08, 10);
    expect(boosted('WAITING')).toBeCloseTo(1.02, 10);
    expect(boosted('WAITING', 'WORKING_SOLUTION', 'PATTERN')).toBeCloseTo(1.08, 10);
  });

  it('takes chain quality, threshold and recency as computed and as set', () => {
    expect(scoreOf([0.5], daysAgo(1), { chainQuality: 0.75 }).parts.chain_quality).toBe(0.75);
    const score = (formula: Partial<Formula>) => scoreOf([0.5, 0.2], daysAgo(60), {}, formula).parts;
    expect(score({ threshold: 0.1 }).chunk_ratio).toBe(1);
    expect(score({ threshold: 0.6 }).chunk_ratio).toBe(0);
    expect(score({ recencyDays: 60 }).recency).toBeCloseTo(Math.exp(-1), 10);
    expect(score({ recentBoost: false }).recency).toBe(0);
  });

  it('ranks sessions with very many chunks and with none', () => {
    expect(scoreOf(new Array<number>(300_000).fill(0.4), null).parts).toMatchObject({
      best_similarity: 0.4,
      recency: 0,
    });
    expect(Number.isFinite(scoreOf([], null).score)).toBe(true);
  });
});

function scoreOf(
  similarities: number[],
  endedAt: string | null,
  { markers = [], chainQuality = null }: { markers?: Marker[]; chainQuality?: number | null } = {},
  formula: Partial<Formula> = {},
) {
  const session = { similarities, endedAt, markers, chainQuality };
  return prdScore(session, NOW, { ...STANDARD, ...formula });
}

function hit(session_id: string, score: number, point_id = ''): Hit {
  return { session_id, point_id, score, ended_at: '2026-07-01T00:00:00.000Z' };
}

function daysAgo(days: number): string {
  return new Date(NOW - days * 86_400_000).toISOString();
}
