import type { Case } from './cases.ts';

/** How much each kind counts. A third has no answer: what a user asks for is mostly there. */
const SHARES: Record<Case['kind'], number> = { answerable: 0.66, 'taken out': 0.17, foreign: 0.17 };
/** Whole queries are asked more often than short ones. */
const LENGTHS: Record<Length, number> = { whole: 0.6, short: 0.3, one: 0.1 };

type Length = 'whole' | 'short' | 'one';

export function lengthOf({ words }: Pick<Case, 'words'>): Length {
  return words >= 4 ? 'whole' : words >= 2 ? 'short' : 'one';
}

/** How much each case counts; each kind of a corpus together has its share. */
export function weightsOf(cases: Case[]): number[] {
  const groupOf = (one: Case) =>
    [one.corpus, one.mode, one.kind, lengthOf(one), one.phrased ? 'phrased' : ''].join(' ');
  const sizes = new Map<string, number>();
  for (const one of cases) sizes.set(groupOf(one), (sizes.get(groupOf(one)) ?? 0) + 1);
  return cases.map((one) => (SHARES[one.kind] * LENGTHS[lengthOf(one)]) / (sizes.get(groupOf(one)) ?? 1));
}
