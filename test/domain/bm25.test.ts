import { describe, expect, it } from 'vitest';
import { type CountedText, holdersOf, rankByWords } from '../../src/domain/bm25.ts';

const text = (length: number, counts: Record<string, number>): CountedText => ({
  length,
  counts: new Map(Object.entries(counts)),
});

describe('BM25 of texts that are in no index', () => {
  const rare = text(100, { valve: 1 });
  const often = text(100, { pump: 3 });
  const once = text(100, { pump: 1 });
  const long = text(400, { pump: 1 });
  const nothing = text(100, {});
  const all = [nothing, long, once, often, rare];

  it('counts a rare word for more, repetitions for less each time, and a long text for less', () => {
    const ranked = rankByWords(all, ['valve', 'pump']);
    expect(ranked.map(({ text: one }) => one)).toEqual([rare, often, once, long]);
  });

  it('scores by the formula', () => {
    const [{ score } = { score: 0 }] = rankByWords([rare, nothing], ['valve']);
    // One of two texts, of average length: ln(1 + 1.5 / 1.5) x 2.2 / 2.2
    expect(score).toBeCloseTo(Math.log(2), 10);
  });

  it('counts who holds a token', () => {
    expect(holdersOf(all, ['valve', 'pump', 'rotor'])).toEqual(
      new Map([
        ['valve', 1],
        ['pump', 3],
        ['rotor', 0],
      ]),
    );
  });

  it('finds nothing without words, or among nothing', () => {
    expect(rankByWords(all, [])).toEqual([]);
    expect(rankByWords([], ['valve'])).toEqual([]);
  });
});
