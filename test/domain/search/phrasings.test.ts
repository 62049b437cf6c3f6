import { describe, expect, it } from 'vitest';
import { meanWeights, rankPhrasings, readPhrasings } from '../../../src/domain/search/phrasings.ts';
import { PARTS, rankSessions, weightsFor } from '../../../src/domain/search/ranking.ts';
import type { RankedLists } from '../../../src/domain/search/search.ts';

const NOW = Date.parse('2026-07-08T00:00:00.000Z');

describe('the ranking by several phrasings', () => {
  it('ranks by the mean score over all phrasings, adding recency once', () => {
    const lists = [keywords({ a: 9, b: 3 }), keywords({ b: 4, c: 2 })];
    const ranked = rankPhrasings(lists, NOW);
    const recency = 0.05 * Math.exp(-1);
    const scores = Object.fromEntries(ranked.map(({ session_id, score }) => [session_id, score - recency]));
    expect(scores.b).toBeCloseTo((1 / 3 + 1) / 2, 10);
    expect(scores.a).toBeCloseTo(1 / 2, 10);
    expect(scores.c).toBeCloseTo(0.5 / 2, 10);
    expect(ranked.map(({ session_id }) => session_id)).toEqual(['b', 'a', 'c']);
  });

  it('shows how well each phrasing found a session, and the passage of the best one', () => {
    const [first] = rankPhrasings([keywords({ a: 9, b: 3 }), keywords({ b: 4 })], NOW);
    expect(first?.session_id).toBe('b');
    expect(first?.phrasings[0]).toBeCloseTo(1 / 3, 10);
    expect(first?.phrasings[1]).toBeCloseTo(1, 10);
    expect(first?.best.chunkByWords).toMatchObject({ point_id: 'b', score: 4 });
  });

  it('ranks by the query’s own scores if there is no other phrasing', () => {
    const lists = keywords({ a: 9, b: 3 });
    const alone = rankSessions(lists, weightsFor(lists), NOW);
    const ranked = rankPhrasings([lists], NOW);
    for (const [at, { phrasings, score, ...one }] of ranked.entries()) {
      expect(one.parts).toEqual(alone[at]?.parts);
      expect(one.best).toEqual(alone[at]?.best);
      expect(score).toBeCloseTo(alone[at]?.score ?? 0, 10);
      expect(phrasings).toEqual([one.similarity]);
    }
  });
});

describe('a ranking by meaning and keyword phrasings', () => {
  it('explains a score over phrasings by parts that add up to it', () => {
    const hybrid = {
      ...keywords({ a: 9, b: 3 }),
      chunksByVector: keywords({ b: 0.9, a: 0.2 }).chunksByWords,
      intentsByVector: keywords({ a: 0.7, b: 0.1 }).chunksByWords,
    };
    const lists = [hybrid, keywords({ b: 4, a: 1 })];
    const weights = meanWeights(lists);
    expect(weights).toMatchObject({ session_words: 0.425, chunk_vectors: 0.075 });
    for (const { parts, score } of rankPhrasings(lists, NOW))
      expect(PARTS.reduce((sum, part) => sum + weights[part] * parts[part], 0)).toBeCloseTo(score, 10);
  });
});

describe('further phrasings', () => {
  it('refuses too many, empty and overlong phrasings, naming the first one at fault', () => {
    const refused = (also: string[]) => () => readPhrasings('q', also);
    expect(refused(Array(20).fill('x'))).toThrow('20 further phrasings: at most 4');
    expect(refused(['fine', ' \n'])).toThrow('phrasing 2 is empty');
    expect(refused(['x'.repeat(10_000)])).toThrow('phrasing 1 has 10,000 characters: at most 4,000');
  });

  it('drops phrasings that repeat the query or each other', () => {
    expect(readPhrasings('login', ['login', 'oauth', 'oauth'])).toEqual(['oauth']);
  });
});

function keywords(scores: Record<string, number>): RankedLists {
  const hits = (point: (id: string) => string) =>
    Object.entries(scores).map(([session_id, score]) => ({
      session_id,
      point_id: point(session_id),
      score,
      ended_at: '2026-07-01T00:00:00.000Z',
    }));
  return {
    sessionsByWords: hits(() => ''),
    chunksByWords: hits((id) => id),
    chunksByVector: null,
    intentsByVector: null,
  };
}
