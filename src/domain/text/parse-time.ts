import { SmartForkError } from '../errors.ts';

const UNIT_MS: Record<string, number> = {
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
  m: 30 * 86_400_000,
  y: 365 * 86_400_000,
};

/** The year 0: texts of earlier times have a sign, and are not in order. */
const EARLIEST_MS = Date.parse('0000-01-01T00:00:00Z');

/**
 * Parses a date (2026-03-01, with or without a time), an age ("2 weeks", "3d", "6h ago"), today or yesterday. A date without a
 * time is the start of the day, or its end for `--until` and `--as-of`.
 * @param name of the option, for the error: `--since`.
 * @returns ISO 8601 UTC
 * @throws SmartForkError USAGE
 */
export function parseTime(name: string, text: string, now: number, edge: 'start' | 'end' = 'start'): string {
  const words = text.trim().toLowerCase();
  const age = /^(\d+(?:\.\d+)?)\s*(h|d|w|m|y)(?:ours?|ays?|eeks?|onths?|ears?)?(?:\s+ago)?$/.exec(words);
  const unit = UNIT_MS[age?.[2] ?? ''];
  const then = age === null || unit === undefined ? Number.NaN : now - Number(age[1]) * unit;
  if (then >= EARLIEST_MS) return new Date(then).toISOString();
  if (words === 'now') return new Date(now).toISOString();
  if (words === 'today') return day(now, edge);
  // A day has 23 or 25 hours when clocks change.
  if (words === 'yesterday') return day(Date.parse(day(now, 'start')) - 1, edge);
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(words);
  const time = Date.parse(isDate ? `${words}T00:00:00` : text.trim());
  if (!/^\d{4}-/.test(words) || Number.isNaN(time) || !isInCalendar(words)) {
    throw new SmartForkError('USAGE', `${name} "${text}" is not a time`, {
      hint: 'Write a date (2026-03-01), an age ("2 weeks", 3d, 6h), or words ("last week", "in June").',
    });
  }
  return isDate ? day(time, edge) : new Date(time).toISOString();
}

/** Rejects dates such as February 30, which `Date` reads as March 2. */
function isInCalendar(words: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})/.exec(words) ?? [];
  if (day === undefined) return true;
  return new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() === Number(day);
}

/** The first or last millisecond of a day in local time. */
function day(time: number, edge: 'start' | 'end'): string {
  const date = new Date(time);
  date.setHours(
    edge === 'start' ? 0 : 23,
    edge === 'start' ? 0 : 59,
    edge === 'start' ? 0 : 59,
    edge === 'start' ? 0 : 999,
  );
  return date.toISOString();
}
