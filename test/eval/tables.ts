import { createInk } from '../../src/cli/terminal/ink.ts';
import { tableLines } from '../../src/cli/terminal/table.ts';
import type { Interval } from './metrics.ts';

export function table(headers: string[], rows: string[][]): string[] {
  const ink = createInk({ columns: 200, color: 0, unicode: true });
  return tableLines(
    headers.map((header) => ({ header })),
    rows,
    ink,
  );
}

/** Names each group of rows once, with an empty row before the next. */
export function withGaps(rows: string[][]): string[][] {
  return rows.flatMap((row, index) => {
    const before = rows[index - 1]?.[0];
    if (before === row[0]) return [['', ...row.slice(1)]];
    return before === undefined ? [row] : [[], row];
  });
}

export function intervalCell({ value, low, high }: Interval): string {
  return `${share(value)} [${share(low)} ${share(high)}]`;
}

/** `.912`, `1.000`. */
export function share(value: number): string {
  return Number.isNaN(value) ? '-' : value.toFixed(3).replace(/^0/, '');
}
