import { describe, expect, it } from 'vitest';
import { type CountedText, holdersOf, rankByWords, scaleOfIndex } from '../../../src/domain/search/bm25.ts';

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

  it('weighs words by how rare they are in all that is searched', () => {
    const more = { texts: 95, holders: new Map([['valve', 95]]) };
    const score = (found: { score: number }[]) => found[0]?.score ?? 0;
    expect(score(rankByWords(all, ['valve'], more))).toBeLessThan(score(rankByWords(all, ['valve'])) / 10);
  });

  it('brings scores of a small full-text index to the same scale', () => {
    // One text, which holds the word: FTS5 gives it a millionth.
    const index = { texts: 1, holders: new Map([['valve', 1]]) };
    const both = { texts: 3, holders: new Map([['valve', 2]]) };
    expect(scaleOfIndex(['valve'], index, both)).toBeCloseTo(Math.log(1 + 1.5 / 2.5) / 1e-6, 3);
    const large = { texts: 10_000, holders: new Map([['valve', 20]]) };
    expect(scaleOfIndex(['valve', 'pump'], large, large)).toBeCloseTo(1, 2);
    expect(scaleOfIndex(['pump'], index, both)).toBe(1);
  });
});
