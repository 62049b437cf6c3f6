import { expect, it } from 'vitest';
import { dayAndClock, period } from '../../src/page/parts/format.ts';

it('counts the hours of a day from 0, also after midnight', () => {
  const [start, end] = [new Date(2024, 9, 20, 0, 5), new Date(2024, 9, 20, 1, 40)].map((time) =>
    time.toISOString(),
  );
  expect(dayAndClock(start ?? null)).toBe('Oct 20, 2024, 00:05');
  expect(period(start ?? null, end ?? null)).toBe('Oct 20, 2024, 00:05–01:40');
});
