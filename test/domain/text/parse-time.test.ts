import { afterEach, expect, it, vi } from 'vitest';
import { parseTime } from '../../../src/domain/text/parse-time.ts';

afterEach(() => vi.unstubAllEnvs());

it('reads yesterday as the day before when clocks change', () => {
  vi.stubEnv('TZ', 'Europe/Berlin');
  // Late on a day of 25 hours, and early on the day after one of 23.
  for (const text of ['2026-10-25T23:30:00+01:00', '2026-03-30T00:30:00+02:00']) {
    const now = new Date(text);
    const midnight = (days: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() + days);
    const yesterday = (edge: 'start' | 'end') => parseTime('--since', 'yesterday', now.getTime(), edge);
    expect(yesterday('start')).toBe(midnight(-1).toISOString());
    expect(Date.parse(yesterday('end'))).toBe(midnight(0).getTime() - 1);
  }
});
