import { describe, expect, it } from 'vitest';
import { findTimes } from '../../../src/adapters/chrono/find-times.ts';
import { readTime } from '../../../src/app/search/read-time.ts';

// A Thursday.
const NOW = new Date(2026, 10, 26, 12).getTime();

function read(text: string, edge: 'start' | 'end' = 'start'): Promise<string> {
  const deps = {
    machine: { now: () => NOW },
    searchAids: { times: async (words: string, now: number) => findTimes(words, now) },
  };
  return readTime(deps, '--since', text, edge);
}

const at = (...[year, month, day]: [number, number, number]) => new Date(year, month - 1, day).toISOString();
const lastOf = (...[year, month, day]: [number, number, number]) =>
  new Date(new Date(year, month - 1, day + 1).getTime() - 1).toISOString();

describe('readTime', () => {
  it.each([
    ['last week', at(2026, 11, 16), lastOf(2026, 11, 22)],
    ['this month', at(2026, 11, 1), new Date(NOW).toISOString()],
    ['in June', at(2026, 6, 1), lastOf(2026, 6, 30)],
    ['june 2025', at(2025, 6, 1), lastOf(2025, 6, 30)],
    ['Monday', at(2026, 11, 23), lastOf(2026, 11, 23)],
    ['March 3', at(2026, 3, 3), lastOf(2026, 3, 3)],
    ['2026-03-03', at(2026, 3, 3), lastOf(2026, 3, 3)],
  ])('reads %s', async (text, start, end) => {
    expect([await read(text), await read(text, 'end')]).toEqual([start, end]);
  });

  it('reads an age in words like one in numbers', async () => {
    expect(await read('a week ago')).toBe(await read('1 week ago'));
  });

  it.each(['soon', 'last', 'oauth last week', 'older than a week', '2026-02-30', 'next month'])(
    'refuses %s',
    async (text) => {
      await expect(read(text)).rejects.toThrow(`--since "${text}" is not a time`);
    },
  );
});
