import { expect, it } from 'vitest';
import { daysBetween } from '../../src/page/usage/days-between.ts';

it('has every day from the first to the last on the axis, and at least a week', () => {
  expect(daysBetween(['2026-03-01', '2026-02-20']).join(' ')).toBe(
    '2026-02-20 2026-02-21 2026-02-22 2026-02-23 2026-02-24 2026-02-25 2026-02-26 2026-02-27 2026-02-28 2026-03-01',
  );
  expect(daysBetween(['2026-03-07'])).toEqual([1, 2, 3, 4, 5, 6, 7].map((day) => `2026-03-0${day}`));
  expect(daysBetween([])).toEqual([]);
});
