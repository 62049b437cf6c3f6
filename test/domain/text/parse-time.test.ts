import { afterEach, expect, it, vi } from 'vitest';
import { parseTime } from '../../../src/domain/text/parse-time.ts';

afterEach(() => vi.unstubAllEnvs());

it('reads yesterday as the day before when clocks change', () => {
  vi.stubEnv('TZ', 'Europe/Berlin');
  const yesterday = (now: string) =>
    (['start', 'end'] as const).map((edge) => parseTime('--since', 'yesterday', Date.parse(now), edge));
  // Late on a day of 25 hours, and early on the day after one of 23.
  expect(yesterday('2026-10-25T23:30:00+01:00')).toEqual([
    '2026-10-23T22:00:00.000Z',
    '2026-10-24T21:59:59.999Z',
  ]);
  expect(yesterday('2026-03-30T00:30:00+02:00')).toEqual([
    '2026-03-28T23:00:00.000Z',
    '2026-03-29T21:59:59.999Z',
  ]);
});
