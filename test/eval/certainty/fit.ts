import type { CertaintyNumbers, Evidence } from '../../../src/domain/search/certainty.ts';
import type { Case } from './cases.ts';
import { weightsOf } from './shares.ts';

/** A first result, whether it was right, and how much it counts. */
interface Observation {
  values: number[];
  right: number;
  weight: number;
}

/**
 * Fits the numbers of the certainty: logistic regression by Newton's method, with a small penalty, so that features that are the same
 * in all cases get no weight. Each kind of each corpus counts by a fixed share, however many queries there are.
 */
export function fitCertainty(cases: Case[]): CertaintyNumbers {
  const observations = observationsOf(cases);
  let numbers = FEATURES.map(() => 0);
  for (let round = 0; round < ROUNDS; round += 1) {
    const step = newtonStep(numbers, observations);
    const lengths = [1, 0.5, 0.25, 0.125, 0.0625];
    const steps = lengths.map((length) => numbers.map((number, at) => number - length * (step[at] ?? 0)));
    numbers = [numbers, ...steps].reduce((best, one) =>
      lossOf(one, observations) < lossOf(best, observations) ? one : best,
    );
  }
  const [gap = 0, coverage = 0, named = 0, words = 0, first = 0, phrased = 0, constant = 0] = numbers;
  return { gap, coverage, named, words, first, phrased, constant };
}

const ROUNDS = 20;
const PENALTY = 0.0005;

const FEATURES: ((evidence: Evidence) => number)[] = [
  ({ gap }) => gap,
  ({ coverage }) => coverage,
  ({ named }) => named,
  ({ words }) => Math.log(1 + words),
  ({ first }) => first,
  ({ phrased }) => phrased,
  () => 1,
];

function observationsOf(cases: Case[]): Observation[] {
  const judged = cases.filter(({ first }) => first[0]?.evidence != null);
  const weights = weightsOf(judged);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return judged.map(({ first, rank, kind }, at) => ({
    values: FEATURES.map((feature) => feature(first[0]?.evidence as Evidence)),
    right: kind === 'answerable' && rank === 1 ? 1 : 0,
    weight: (weights[at] ?? 0) / total,
  }));
}

/** The negative log likelihood, with the penalty. */
function lossOf(numbers: number[], observations: Observation[]): number {
  const penalty = numbers.slice(0, -1).reduce((sum, number) => sum + (PENALTY / 2) * number * number, 0);
  return observations.reduce((loss, { values, right, weight }) => {
    const sum = sumOf(values, numbers);
    return loss + weight * (Math.log1p(Math.exp(-Math.abs(sum))) + Math.max(0, sum) - right * sum);
  }, penalty);
}

function sumOf(values: number[], numbers: number[]): number {
  return values.reduce((sum, value, at) => sum + value * (numbers[at] ?? 0), 0);
}

function newtonStep(numbers: number[], observations: Observation[]): number[] {
  const size = numbers.length;
  // The constant is not penalized.
  const penalty = (at: number) => (at === size - 1 ? 0 : PENALTY);
  const gradient = numbers.map((number, at) => penalty(at) * number);
  const hessian = numbers.map((_, row) =>
    numbers.map((_, column) => (row === column ? penalty(row) + 1e-9 : 0)),
  );
  for (const { values, right, weight } of observations) {
    const p = 1 / (1 + Math.exp(-sumOf(values, numbers)));
    for (const [row, value] of values.entries()) {
      gradient[row] = (gradient[row] ?? 0) + weight * (p - right) * value;
      const line = hessian[row] ?? [];
      for (const [column, other] of values.entries())
        line[column] = (line[column] ?? 0) + weight * p * (1 - p) * value * other;
    }
  }
  return solve(hessian, gradient);
}

/** Solves a symmetric positive definite system by elimination. */
function solve(matrix: number[][], right: number[]): number[] {
  const rows = matrix.map((row, at) => [...row, right[at] ?? 0]);
  const size = rows.length;
  for (const [at, row] of rows.entries()) {
    const pivot = row[at] ?? 1;
    for (const other of rows) {
      if (other === row) continue;
      const factor = (other[at] ?? 0) / pivot;
      for (let column = at; column <= size; column += 1)
        other[column] = (other[column] ?? 0) - factor * (row[column] ?? 0);
    }
  }
  return rows.map((row, at) => (row[size] ?? 0) / (row[at] ?? 1));
}
