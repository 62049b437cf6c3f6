import { describe, expect, it } from 'vitest';
import {
  addCounts,
  countTokens,
  fromSparseVector,
  hashToken,
  holdersFromScore,
  queryVector,
  toSparseVector,
} from '../../../src/adapters/qdrant/schema/sparse.ts';

describe('a lexical vector', () => {
  it('tells what it was made of', () => {
    const stream = Array.from({ length: 4000 }, (_, at) => `w${Math.floor(Math.sqrt(at) * 3)}`).join(' ');
    const counted = countTokens(`${stream} ${'often '.repeat(300)}`, hashToken);
    for (const average of [50, 700, 20_000]) {
      const vector = toSparseVector(counted, average);
      const sent = { indices: vector.indices, values: vector.values.map(Math.fround) };
      expect(fromSparseVector(sent, counted.length, average)).toEqual(counted);
    }
  });

  it('has every index once, in order, where tokens collide too', () => {
    const collide = (token: string) => token.length;
    const vector = toSparseVector(countTokens('aa bb c aa', collide), 4);
    expect(vector.indices).toEqual([1, 2]);
    expect(fromSparseVector(vector, 4, 4).counts.get(2)).toBe(3);
    expect(queryVector(['aa', 'bb', 'c'], collide)).toEqual({ indices: [1, 2], values: [1, 1] });
  });

  it('of a session is that of its chunks together', () => {
    const parts = ['a b b', 'b c', ''].map((text) => countTokens(text, hashToken));
    expect(addCounts(parts)).toEqual(countTokens('a b b b c', hashToken));
  });

  it('spreads tokens over the indices', () => {
    const hashes = Array.from({ length: 200_000 }, (_, at) => hashToken(`~stem${at}`));
    expect(new Set(hashes).size).toBeGreaterThan(199_980);
    expect(hashes.every((hash) => Number.isInteger(hash) && hash >= 0 && hash <= 0xffffffff)).toBe(true);
    expect(hashes.filter((hash) => hash % 16 === 3).length / 200_000).toBeCloseTo(1 / 16, 2);
    expect(hashToken('数据')).not.toBe(hashToken('数捨'));
  });

  it('tells how many documents hold a token from the score of one', () => {
    for (const [total, holders] of [
      [50_000, 24],
      [50_000, 31_337],
      [1000, 1000],
      [80, 70],
    ] as const) {
      const value = Math.fround(1.7342);
      const score = Math.fround(value * Math.log(1 + (total - holders + 0.5) / (holders + 0.5)));
      const found = holdersFromScore(score, value, total);
      expect(Math.abs(found - holders)).toBeLessThanOrEqual(Math.max(0, holders * 0.001));
    }
  });
});
