import type { Presented } from '../present-result.ts';

/** Adds a part to a session's score. */
export function withPart(one: Presented, name: string, value: number, weight: number): Presented {
  const { parts, weights, ...others } = one.scores;
  return {
    ...one,
    score: one.score + weight * value,
    scores: { parts: { ...parts, [name]: value }, weights: { ...weights, [name]: weight }, ...others },
  };
}
