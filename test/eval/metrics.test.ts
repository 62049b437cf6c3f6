import { describe, expect, it } from 'vitest';
import {
  areaUnderCurve,
  bootstrap,
  brierScore,
  calibrationError,
  hitRate,
  mean,
  meanReciprocalRank,
  quantile,
  rankOfFirst,
} from './metrics.ts';

describe('metrics of ranks', () => {
  const ranks = [1, 3, null, 2];

  it('ranks by the first of several right answers', () => {
    expect(rankOfFirst(['a', 'b', 'c'], ['c', 'b'])).toBe(2);
    expect(rankOfFirst(['a', 'b', 'c'], ['d'])).toBeNull();
  });

  it('counts hits within the first k', () => {
    expect(hitRate(ranks, 1)).toBe(0.25);
    expect(hitRate(ranks, 2)).toBe(0.5);
    expect(hitRate(ranks, 3)).toBe(0.75);
  });

  it('counts a missing answer as 0', () => {
    expect(meanReciprocalRank(ranks)).toBeCloseTo((1 + 1 / 3 + 0 + 1 / 2) / 4);
  });
});

describe('bootstrap intervals', () => {
  const items = Array.from({ length: 50 }, (_, i) => (i % 5 === 0 ? 0 : 1));

  it('returns the same interval only for the same seed', () => {
    const uneven = items.map((item, i) => item + i / 7);
    expect(bootstrap(uneven, mean, 7)).toEqual(bootstrap(uneven, mean, 7));
    expect(bootstrap(uneven, mean, 8)).not.toEqual(bootstrap(uneven, mean, 7));
  });

  it('returns an interval about as wide as the normal approximation', () => {
    const { value, low, high } = bootstrap(items, mean);
    const half = 1.96 * Math.sqrt((0.8 * 0.2) / 50);
    expect(value).toBe(0.8);
    expect(low).toBeGreaterThan(0.8 - half - 0.04);
    expect(low).toBeLessThan(0.8 - half + 0.04);
    expect(high).toBeGreaterThan(0.8 + half - 0.04);
    expect(high).toBeLessThan(0.8 + half + 0.04);
  });

  it('returns an interval of zero width for equal items', () => {
    expect(bootstrap([1, 1, 1], mean)).toEqual({ value: 1, low: 1, high: 1 });
  });
});

describe('calibration metrics', () => {
  const of = (...pairs: [number, boolean][]) => pairs.map(([probability, right]) => ({ probability, right }));

  it('computes an AUC of 1 for a perfect order and 0.5 for ties', () => {
    expect(areaUnderCurve(of([0.9, true], [0.8, true], [0.3, false]))).toBe(1);
    expect(areaUnderCurve(of([0.1, true], [0.9, false]))).toBe(0);
    expect(areaUnderCurve(of([0.5, true], [0.5, false]))).toBe(0.5);
    expect(areaUnderCurve(of([0.9, true], [0.4, true], [0.6, false]))).toBe(0.5);
  });

  it('computes the Brier score from squared errors', () => {
    expect(brierScore(of([1, true], [0, false]))).toBe(0);
    expect(brierScore(of([0.8, true], [0.4, false]))).toBeCloseTo((0.04 + 0.16) / 2);
  });

  it('compares forecast and frequency per bin', () => {
    const honest = of([0.75, true], [0.75, true], [0.75, true], [0.75, false]);
    expect(calibrationError(honest)).toBe(0);
    expect(calibrationError(of([0.95, false], [0.95, true]))).toBeCloseTo(0.45);
    expect(calibrationError(of([1, true], [1, true], [0.15, true]))).toBeCloseTo(0.85 / 3);
  });
});

it('interpolates quantiles', () => {
  expect(quantile([1, 2, 3, 4, 5], 0.5)).toBe(3);
  expect(quantile([1, 2], 0.25)).toBe(1.25);
  expect(quantile([], 0.5)).toBeNaN();
});
