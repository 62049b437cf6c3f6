import { describe, expect, it } from 'vitest';
import { centreOf, signsOf } from '../../../src/adapters/sqlite/vectors/signs.ts';
import { createTextSource } from '../../bench/data/generated-text.ts';

const BITS = Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll('0', '').length);
const vector = (...values: number[]) => Float32Array.from(values);

describe('signs of a vector', () => {
  it('sets a bit for each number above the centre, lowest bit first', () => {
    const zero = vector(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    expect([...signsOf(vector(1, -1, 0, 0, 0, 0, 0, 2, -3, 4), zero)]).toEqual([0b1000_0001, 0b10]);
    expect([
      ...signsOf(vector(3, 4, 0, 0, 0, 0, 0, 0, 0, 0), vector(0.7, 0.7, 0, 0, 0, 0, 0, 0, 0, 0)),
    ]).toEqual([0b10, 0]);
  });

  it('gives a vector the same signs whatever its length', () => {
    const centre = centreOf([vector(1, 2, 3), vector(3, 2, 1)], 3);
    expect(signsOf(vector(10, 1, 5), centre)).toEqual(signsOf(vector(2, 0.2, 1), centre));
  });

  it('leaves vectors without direction out of the centre', () => {
    expect([...centreOf([vector(0, 0), vector(Number.NaN, 1)], 2)]).toEqual([0, 0]);
    expect([...centreOf([vector(0, 0), vector(0, 2)], 2)]).toEqual([0, 1]);
  });

  it('distinguishes vectors that point in nearly the same direction', () => {
    const text = createTextSource(1);
    const vectors = Array.from({ length: 2000 }, (_, at) => text.vector(at % 40, 384));
    const queries = Array.from({ length: 20 }, (_, at) => text.vector(at, 384));
    const centre = centreOf(vectors.slice(0, 64), 384);
    const none = new Float32Array(384);
    const recall = (from: Float32Array) => {
      const signs = vectors.map((one) => signsOf(one, from));
      const shares = queries.map((query) => {
        const nearest = closest(vectors, (one) => -cosine(one, query), 10);
        const signsOfQuery = signsOf(query, from);
        const among = new Set(closest(signs, (one) => distance(one, signsOfQuery), 256));
        return nearest.filter((at) => among.has(at)).length / 10;
      });
      return shares.reduce((sum, share) => sum + share, 0) / shares.length;
    };
    expect(recall(centre)).toBeGreaterThan(0.99);
    expect(recall(none)).toBeLessThan(0.95);
  });
});

function closest<T>(items: T[], score: (item: T) => number, count: number): number[] {
  return items
    .map((item, at) => ({ at, score: score(item) }))
    .sort((one, other) => one.score - other.score)
    .slice(0, count)
    .map(({ at }) => at);
}

function cosine(one: Float32Array, other: Float32Array): number {
  return one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0);
}

function distance(one: Uint8Array, other: Uint8Array): number {
  return one.reduce((sum, byte, at) => sum + (BITS[byte ^ (other[at] ?? 0)] ?? 0), 0);
}
