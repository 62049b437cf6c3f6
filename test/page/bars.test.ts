import { expect, it } from 'vitest';
import { barsOf } from '../../src/page/usage/bars.ts';

const row = (date: string, model: string | null, output_tokens: number) => ({
  date,
  model,
  agent: 'claude',
  output_tokens,
});

it('counts all tokens: those of models beyond the first few together', () => {
  const rows = [
    row('2026-03-01', 'a', 50),
    row('2026-03-01', 'b', 40),
    row('2026-03-02', 'c', 3),
    row('2026-03-02', 'd', 2),
    row('2026-03-02', null, 1),
  ];
  const bars = barsOf(rows, 2, 'others');
  expect(bars.slice(-2).map(({ from, to, parts }) => [from, to, Object.fromEntries(parts)])).toEqual([
    ['2026-03-01', '2026-03-01', { a: 50, b: 40 }],
    ['2026-03-02', '2026-03-02', { others: 6 }],
  ]);
});

it('joins days where there are too many for a bar each, and loses none', () => {
  const rows = Array.from({ length: 400 }, (_, at) =>
    row(new Date(Date.UTC(2025, 0, 1 + at)).toISOString().slice(0, 10), 'a', 1),
  );
  const bars = barsOf(rows, 4, 'others');
  expect(bars.length).toBeLessThanOrEqual(60);
  expect(bars[0]?.from).toBe('2025-01-01');
  expect(bars.at(-1)?.to).toBe('2026-02-04');
  expect(bars.reduce((sum, { parts }) => sum + (parts.get('a') ?? 0), 0)).toBe(400);
});
