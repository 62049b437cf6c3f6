import { expect, it } from 'vitest';
import { foundText, MOST_COUNTED } from '../../../src/domain/text/found-text.ts';
import { plural } from '../../../src/domain/text/time-text.ts';

it.each([
  [3, undefined, '3 sessions'],
  [5, 18, '5 of 18 sessions'],
  [5, MOST_COUNTED, '5 of 100+ sessions'],
  [150, MOST_COUNTED, '150 sessions'],
])('says how many of the sessions that matched are shown: %s of %s', (shown, matched, text) => {
  expect(foundText(shown, matched, plural)).toBe(text);
});
