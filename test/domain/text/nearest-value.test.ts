import { expect, it } from 'vitest';
import { didYouMean, nearestValue } from '../../../src/domain/text/nearest-value.ts';

const AGENTS = ['claude', 'codex'];

it('proposes the value with the fewest letters changed, or the one that begins as typed', () => {
  expect(nearestValue('claud', AGENTS)).toBe('claude');
  expect(nearestValue('CODEKS', AGENTS)).toBe('codex');
  expect(nearestValue('com', ['edited', 'committed'])).toBe('committed');
  expect(nearestValue('fix/logn', ['main', 'fix/login', 'fix/logs-everywhere'])).toBe('fix/login');
});

it('proposes nothing if no value is near', () => {
  for (const typed of ['', '  ', 'gemini', 'x']) expect(nearestValue(typed, AGENTS)).toBeNull();
  expect(didYouMean(3, AGENTS)).toBe('');
});
