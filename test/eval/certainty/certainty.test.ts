import { describe, expect, it } from 'vitest';
import { CERTAINTY, certaintyOf, type Evidence } from '../../../src/domain/search/certainty.ts';
import { randomNumbers } from '../metrics.ts';
import type { Case } from './cases.ts';
import { evaluateCertainty } from './evaluate-fit.ts';
import { fitCertainty } from './fit.ts';
import { aboveRight, measureCertainty } from './measure.ts';
import { weightsOf } from './shares.ts';

const anyOf = randomNumbers(4);
const random = (below: number) => Math.floor(below * anyOf());

function caseOf(changes: Partial<Case> & { evidence?: Evidence } = {}): Case {
  const { evidence = randomEvidence(), ...rest } = changes;
  return {
    corpus: 'one',
    mode: 'keyword',
    set: 'subjects',
    kind: 'answerable',
    isTrustworthy: true,
    phrased: false,
    rank: 1,
    first: [{ evidence, certainty: certaintyOf(evidence) }],
    level: 'strong',
    isRecommended: true,
    words: evidence.words,
    ...rest,
  };
}

function randomEvidence(): Evidence {
  return {
    gap: anyOf(),
    coverage: anyOf(),
    named: anyOf(),
    words: 4 + random(6),
    first: random(3) / 2,
    phrased: 0,
  };
}

/** Right as often as the current numbers say. */
function calibrated(count: number, corpus: string): Case[] {
  return Array.from({ length: count }, () => {
    const evidence = randomEvidence();
    return caseOf({ evidence, corpus, rank: anyOf() < certaintyOf(evidence) ? 1 : null });
  });
}

describe('fitting the certainty', () => {
  it('finds the numbers by which the cases were made', () => {
    const numbers = fitCertainty(calibrated(4000, 'one'));
    expect(numbers.gap).toBeGreaterThan(CERTAINTY.gap - 0.9);
    expect(numbers.gap).toBeLessThan(CERTAINTY.gap + 0.9);
    expect(numbers.coverage).toBeGreaterThan(CERTAINTY.coverage - 0.9);
    expect(numbers.coverage).toBeLessThan(CERTAINTY.coverage + 0.9);
  });

  it('gives a feature that is the same in all cases no weight', () => {
    expect(Math.abs(fitCertainty(calibrated(500, 'one')).phrased)).toBeLessThan(0.01);
  });

  it('measures each corpus with numbers fitted to the others', () => {
    const { fitted, measured } = evaluateCertainty(
      [...calibrated(300, 'one'), ...calibrated(300, 'two')],
      true,
    );
    expect(fitted.map(({ from }) => from)).toEqual(['current', 'all', 'all but one', 'all but two']);
    expect(measured.map(({ name }) => name)).toEqual([
      ...['one, keyword', 'two, keyword'],
      ...['one, keyword, held out', 'two, keyword, held out'],
    ]);
  });

  it('gives each kind of a corpus its share, however many cases it has', () => {
    const cases = [caseOf(), caseOf(), caseOf(), caseOf({ kind: 'foreign' })];
    const [one = 0, , , foreign = 0] = weightsOf(cases);
    expect(one * 3).toBeCloseTo((foreign * 0.66) / 0.17, 10);
  });
});

describe('measuring the certainty', () => {
  it('says how often the badge is shown, and how often it is right', () => {
    const strong: Evidence = { gap: 1, coverage: 1, named: 1, words: 6, first: 1, phrased: 0 };
    const weak: Evidence = { gap: 0, coverage: 0.1, named: 0, words: 6, first: 0, phrased: 0 };
    const { badge, falseBadge, nothing } = measureCertainty([
      ...[caseOf({ evidence: strong }), caseOf({ evidence: strong, rank: 2 })],
      ...[caseOf({ evidence: weak }), caseOf({ evidence: weak, rank: 9 })],
      ...[caseOf({ evidence: weak, kind: 'foreign', rank: null })],
    ]);
    expect(badge[0]).toMatchObject({ group: 'whole', figures: { queries: 4, shown: { value: 0.5 } } });
    expect(badge[0]?.figures.right?.value).toBe(0.5);
    expect(falseBadge).toMatchObject([{ group: 'foreign, whole', shown: { value: 0 } }]);
    expect(nothing).toMatchObject({
      answerable: { value: 0.5 },
      aboveRight: { value: 0.25 },
      unanswerable: { value: 1 },
    });
  });

  it('counts "nothing fits" above a right session among the first five', () => {
    const cases = [
      ...[caseOf({ level: 'nothing', rank: 5 }), caseOf({ level: 'nothing', rank: 6 })],
      ...[caseOf({ level: 'unlikely' }), caseOf({ level: 'nothing', rank: null })],
    ];
    expect(aboveRight(cases)).toBe(0.25);
  });
});
