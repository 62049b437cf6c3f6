import type { UsageRow } from '../../domain/usage/usage-report.ts';
import { daysBetween } from './days-between.ts';

/** Output tokens of some days, by model. */
export interface Bar {
  from: string;
  to: string;
  parts: Map<string, number>;
}

/** More would be too narrow on a phone. */
const MAX_BARS = 60;
/** Possible widths of a bar, in days. */
const WIDTHS = [1, 7, 14, 28, 91];

/** Bars of equal width from the first day to the last. Models beyond the `most` that wrote most are counted together. */
export function barsOf(
  rows: Pick<UsageRow, 'date' | 'model' | 'agent' | 'output_tokens'>[],
  most: number,
  others: string,
): Bar[] {
  const days = daysBetween(rows.map(({ date }) => date));
  const width = WIDTHS.find((one) => days.length <= one * MAX_BARS) ?? Math.ceil(days.length / MAX_BARS);
  const totals = new Map<string, number>();
  for (const row of rows) add(totals, nameOf(row), row.output_tokens);
  const first = [...totals].sort((one, other) => other[1] - one[1]).slice(0, most);
  const own = new Set(first.map(([name]) => name));
  const bars: Bar[] = [];
  for (let at = 0; at < days.length; at += width)
    bars.push({
      from: days[at] ?? '',
      to: days[Math.min(at + width, days.length) - 1] ?? '',
      parts: new Map(),
    });
  const indexes = new Map(days.map((date, index) => [date, Math.floor(index / width)]));
  for (const row of rows) {
    const bar = bars[indexes.get(row.date.slice(0, 10)) ?? -1];
    if (bar !== undefined) add(bar.parts, own.has(nameOf(row)) ? nameOf(row) : others, row.output_tokens);
  }
  return bars;
}

function nameOf({ model, agent }: Pick<UsageRow, 'model' | 'agent'>): string {
  return model ?? agent;
}

function add(counts: Map<string, number>, name: string, number: number): void {
  counts.set(name, (counts.get(name) ?? 0) + number);
}
