import { describe, expect, it } from 'vitest';
import {
  AVERAGE_LENGTH,
  countTokens,
  hashToken,
  queryVector,
  toSparseVector,
} from '../../../src/adapters/qdrant/schema/sparse.ts';

describe('a lexical vector', () => {
  it('makes a lexical vector with each index once, in order, even if tokens collide', () => {
    const collide = (token: string) => token.length;
    const vector = toSparseVector(countTokens('aa bb c aa', collide), 'memory');
    expect(vector.indices).toEqual([1, 2]);
    const base = 1.2 * (0.25 + (0.75 * 4) / AVERAGE_LENGTH.memory);
    expect(vector.values[1]).toBeCloseTo((3 * 2.2) / (3 + base), 5);
    expect(queryVector(['aa', 'bb', 'c'], collide)).toEqual({ indices: [1, 2], values: [1, 1] });
  });

  it('spreads tokens evenly over the indices', () => {
    const hashes = Array.from({ length: 200_000 }, (_, at) => hashToken(`~stem${at}`));
    expect(new Set(hashes).size).toBeGreaterThan(199_980);
    expect(hashes.every((hash) => Number.isInteger(hash) && hash >= 0 && hash <= 0xffffffff)).toBe(true);
    expect(hashes.filter((hash) => hash % 16 === 3).length / 200_000).toBeCloseTo(1 / 16, 2);
    expect(hashToken('数据')).not.toBe(hashToken('数捨'));
  });
});
