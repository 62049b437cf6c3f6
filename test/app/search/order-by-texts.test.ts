import { expect, it } from 'vitest';
import type { Presented } from '../../../src/app/search/present-result.ts';
import { orderByTexts } from '../../../src/app/search/results/judge-results.ts';

const EVIDENCE = { gap: 0, coverage: 0, named: 0, words: 8, first: 0, phrased: 0 };

/** The order of results by what their passages cover of the query; the first leads all lists. */
function order(coverages: Record<string, number>, named: string[] = []): string[] {
  const results = Object.keys(coverages).map((session_id) => ({
    session_id,
    found_by: named.includes(session_id) ? { kind: 'commit', value: '0f9e02b' } : undefined,
  }));
  const judged = Object.entries(coverages).map(([id, coverage], at) => {
    const evidence = { ...EVIDENCE, coverage, first: at === 0 ? 1 : 0, gap: at === 0 ? 1 : -1 };
    return [id, { certainty: 0, evidence }] as const;
  });
  return orderByTexts(results as Presented[], new Map(judged)).map(({ session_id }) => session_id);
}

it('moves up a result whose texts fit clearly better than those above it', () => {
  expect(order({ a: 0.3, b: 0.9, c: 0.85 })).toEqual(['b', 'c', 'a']);
});

it('keeps the order of the score among results whose texts fit about as well', () => {
  expect(order({ a: 0.9, b: 0.95, c: 1 })).toEqual(['a', 'b', 'c']);
});

it('moves nothing above a session that the query names', () => {
  expect(order({ a: 0.3, b: 0.4, c: 1 }, ['a'])).toEqual(['a', 'c', 'b']);
});
