import {
  CERTAINTY,
  type CertaintyNumbers,
  certaintyOf,
  type FitLevel,
  fitLevel,
} from '../../../src/domain/search/certainty.ts';
import { areaUnderCurve, bootstrap, type Interval, mean, type Outcome } from '../metrics.ts';
import { type Case, SHOWN } from './cases.ts';
import { lengthOf, weightsOf } from './shares.ts';

/** How often something was shown, and how often that was right; null if it was never shown. */
export interface Shown {
  queries: number;
  shown: Interval;
  right: Interval | null;
}

export interface CertaintyFigures {
  auc: number;
  /** Over all kinds, each with its share. */
  brier: number;
  calibrationError: Interval;
  /** The badge on queries that have an answer. */
  badge: { group: string; figures: Shown }[];
  /** The badge on queries that have none. */
  falseBadge: { group: string; queries: number; shown: Interval }[];
  /** "Nothing fits", by whether the query has an answer. */
  nothing: {
    answerable: Interval;
    unanswerable: Interval;
    /** How often it stands above a right session among the first five, of the answerable queries. */
    aboveRight: Interval;
    /** If one query in five has no answer: how often there is none when it is shown, and how often no right session is among the first five. */
    noAnswer: number;
    right: number;
  };
}

/** What the certainty says about the first results, with these numbers. */
export function measureCertainty(cases: Case[], numbers: CertaintyNumbers = CERTAINTY): CertaintyFigures {
  const said = cases.map((one) => ({ ...one, ...judge(one, numbers) }));
  const weights = weightsOf(cases);
  const outcomes = said.map(({ p, isRight }, at) => ({
    probability: p,
    right: isRight,
    weight: weights[at] ?? 0,
  }));
  const answerable = said.filter(({ kind }) => kind === 'answerable');
  const unanswerable = said.filter(({ kind }) => kind !== 'answerable');
  const nothing = (some: Judged[]) =>
    bootstrap(some, (sample) => share(sample, ({ level }) => level === 'nothing'));
  const [falsely, truly] = [nothing(answerable), nothing(unanswerable)];
  const above = bootstrap(answerable, aboveRight);
  const isShown = 0.2 * truly.value + 0.8 * falsely.value;
  return {
    auc: areaUnderCurve(outcomes),
    brier: weightedMean(outcomes, ({ probability, right }) => (probability - (right ? 1 : 0)) ** 2),
    calibrationError: bootstrap(outcomes, weightedCalibrationError),
    badge: groupsOf(answerable).map(({ group, cases: some }) => ({ group, figures: badgeOf(some) })),
    falseBadge: groupsOf(unanswerable).map(({ group, cases: some }) => ({
      group,
      queries: some.length,
      shown: badgeOf(some).shown,
    })),
    nothing: {
      answerable: falsely,
      unanswerable: truly,
      aboveRight: above,
      noAnswer: (0.2 * truly.value) / isShown,
      right: 1 - (0.8 * above.value) / isShown,
    },
  };
}

interface Judged extends Case {
  p: number;
  level: FitLevel;
  isRight: boolean;
}

function judge({ first, kind, rank }: Case, numbers: CertaintyNumbers) {
  const all = first.map(({ evidence, certainty }) =>
    evidence === null ? certainty : certaintyOf(evidence, numbers),
  );
  return {
    p: all[0] ?? 0,
    level: fitLevel(Math.max(0, ...all)),
    isRight: kind === 'answerable' && rank === 1,
  };
}

/** How often "nothing fits" stands above a right session among the first five. */
export function aboveRight(cases: Pick<Case, 'rank' | 'level'>[]): number {
  return share(cases, ({ level, rank }) => level === 'nothing' && rank !== null && rank <= SHOWN);
}

function badgeOf(cases: Judged[]): Shown {
  const isShown = ({ p }: Judged) => fitLevel(p) === 'strong';
  const marked = cases.filter(isShown);
  const right = (sample: Judged[]) => share(sample, ({ isRight }) => isRight);
  return {
    queries: cases.length,
    shown: bootstrap(cases, (sample) => share(sample, isShown)),
    right: marked.length === 0 ? null : bootstrap(marked, right),
  };
}

function groupsOf(cases: Judged[]): { group: string; cases: Judged[] }[] {
  const groups = new Map<string, Judged[]>();
  for (const one of cases) {
    const length = lengthOf(one) === 'whole' ? 'whole' : 'short';
    const what = one.kind === 'answerable' ? '' : `${one.kind}, `;
    const group = `${what}${one.phrased ? 'with phrasings' : length}`;
    groups.set(group, [...(groups.get(group) ?? []), one]);
  }
  return [...groups].map(([group, some]) => ({ group, cases: some }));
}

type Weighted = Outcome & { weight: number };

const BINS = 10;

/** As `calibrationError`, with weights. */
function weightedCalibrationError(outcomes: Weighted[]): number {
  const bins = Array.from({ length: BINS }, () => ({ off: 0 }));
  let total = 0;
  for (const { probability, right, weight } of outcomes) {
    const bin = bins[Math.min(BINS - 1, Math.floor(probability * BINS))];
    if (bin !== undefined) bin.off += weight * (probability - (right ? 1 : 0));
    total += weight;
  }
  return bins.reduce((sum, { off }) => sum + Math.abs(off), 0) / total;
}

function weightedMean(outcomes: Weighted[], value: (one: Weighted) => number): number {
  const total = outcomes.reduce((sum, { weight }) => sum + weight, 0);
  return outcomes.reduce((sum, one) => sum + one.weight * value(one), 0) / total;
}

export function share<T>(items: T[], is: (item: T) => boolean): number {
  return mean(items.map((item) => (is(item) ? 1 : 0)));
}
