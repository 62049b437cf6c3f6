import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CALLS } from '../support/expressions/calls.ts';
import { findExpressions } from '../support/expressions/find-expressions.ts';
import { findSlowText } from '../support/expressions/measure-expression.ts';
import { recordConstructions } from '../support/expressions/record-constructions.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const { expressions, constructions } = findExpressions(ROOT);

describe('regular expressions', () => {
  it.each([
    ['\\s+x', ''],
    ['a.*b.*c', ''],
    ['(a+)+$', ''],
    ['<a[^>]*>', 'g'],
    ['[.,]+$', ''],
    ['^\\s*(.*?)\\s*$', ''],
    ['(?:a|b|ab)*c', ''],
  ])('are found if they are slow: %s', (source, flags) =>
    expect(findSlowText({ source, flags, isRepeated: flags === 'g' })).not.toBeNull(),
  );

  it('take linear time, wherever the source has one', { timeout: 600_000 }, () => {
    expect(slowOnes(expressions)).toEqual([]);
  });

  it('take linear time if they are made of a string', { timeout: 600_000 }, async () => {
    const made = await recordConstructions(ROOT, constructions, CALLS);
    const places = new Set(made.map(({ place }) => place));
    expect(constructions.filter(({ place }) => !places.has(place)).map(({ place }) => place)).toEqual([]);
    expect(slowOnes(made.map((one) => ({ ...one, isRepeated: one.flags.includes('g') })))).toEqual([]);
  });
});

function slowOnes(found: { place: string; source: string; flags: string; isRepeated: boolean }[]): string[] {
  const known = new Map<string, string | null>();
  return found.flatMap((one) => {
    const key = JSON.stringify([one.source, one.flags, one.isRepeated]);
    let slow = known.get(key);
    if (slow === undefined) {
      slow = findSlowText(one);
      known.set(key, slow);
    }
    return slow === null ? [] : [`${one.place} /${one.source}/${one.flags}: ${slow}`];
  });
}
