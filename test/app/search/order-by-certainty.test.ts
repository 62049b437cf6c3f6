import { expect, it } from 'vitest';
import type { Presented } from '../../../src/app/search/present-result.ts';
import { orderByCertainty } from '../../../src/app/search/results/judge-results.ts';

function order(certainties: Record<string, number>, named: string[] = []): string[] {
  const results = Object.keys(certainties).map((session_id) => ({
    session_id,
    found_by: named.includes(session_id) ? { kind: 'commit', value: '0f9e02b' } : undefined,
  }));
  const judged = Object.entries(certainties).map(
    ([id, certainty]) => [id, { certainty, evidence: null }] as const,
  );
  return orderByCertainty(results as Presented[], new Map(judged)).map(({ session_id }) => session_id);
}

it('moves up a result that is clearly more certain than those above it', () => {
  expect(order({ a: 0.11, b: 0.43, c: 0.4 })).toEqual(['b', 'c', 'a']);
  expect(order({ a: 0.3, b: 0.2, c: 0.5, d: 0.9 })).toEqual(['d', 'c', 'a', 'b']);
});

it('keeps the order of the score among results that are about as certain', () => {
  expect(order({ a: 0.4, b: 0.5, c: 0.55 })).toEqual(['a', 'b', 'c']);
});

it('moves nothing above a session that the query names', () => {
  expect(order({ a: 0.15, b: 0.2, c: 0.9 }, ['a'])).toEqual(['a', 'c', 'b']);
});
