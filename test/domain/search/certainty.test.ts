import { describe, expect, it } from 'vitest';
import {
  CERTAINTY,
  certaintyOf,
  type Evidence,
  fitLevel,
  fitOf,
  strengthOf,
} from '../../../src/domain/search/certainty.ts';

const evidence: Evidence = { gap: 0.4, coverage: 0.8, named: 0.5, words: 5, first: 0.5, phrased: 0 };

describe('certainty', () => {
  it('is a logistic function of the evidence', () => {
    const { gap, coverage, named, words, first, phrased, constant } = CERTAINTY;
    const sum = gap * 0.4 + coverage * 0.8 + named * 0.5 + words * Math.log(6) + first * 0.5 + constant;
    expect(certaintyOf(evidence)).toBeCloseTo(1 / (1 + Math.exp(-sum)), 10);
    expect(certaintyOf({ ...evidence, phrased: 1 })).toBeCloseTo(1 / (1 + Math.exp(-(sum + phrased))), 10);
  });

  it('grows with each part of the evidence', () => {
    for (const part of ['gap', 'coverage', 'named', 'words', 'first', 'phrased'] as const)
      expect(certaintyOf({ ...evidence, [part]: evidence[part] + 0.1 }), part).toBeGreaterThan(
        certaintyOf(evidence),
      );
  });

  it('states certainty in words', () => {
    const certainties = [0.8, 0.79, 0.5, 0.49, 0.15, 0.14, 0.05, 0.04];
    expect(certainties.map(strengthOf)).toEqual([
      ...['strong', 'likely', 'likely', 'possible', 'possible'],
      ...['none', 'none', 'none'],
    ]);
    expect(certainties.map(fitLevel)).toEqual([
      ...['strong', 'likely', 'likely', 'possible', 'possible'],
      ...['unlikely', 'unlikely', 'nothing'],
    ]);
  });
});

describe('the fit of an answer', () => {
  const alone = { together: false };

  it('is that of its most certain result', () => {
    expect(fitOf([0.2, 0.6, 0.01], alone)).toEqual({ level: 'likely', text: 'likely match' });
    expect(fitOf([0.01, 0.1], alone)?.text).toBe('probably not here; the closest are');
    expect(fitOf([0.04, 0.01], alone)?.text).toBe('nothing fits; the closest are');
    expect(fitOf([], alone)).toBeNull();
  });

  it('is at least possible for results that cover the query together', () => {
    expect(fitOf([0.04, 0.01], { together: true })?.level).toBe('possible');
  });

  it('says that no session stands out for one or two words in many sessions', () => {
    const text = (...counts: number[]) =>
      fitOf([0.1], { together: false, words: counts.map((sessions) => ({ sessions })) })?.text;
    expect(text(20)).toBe('no session stands out; the closest are');
    expect(text(20, 7)).toBe('no session stands out; the closest are');
    expect(text(20, 1)).toBe('probably not here; the closest are');
    expect(text(20, 20, 20)).toBe('probably not here; the closest are');
  });
});
