import { describe, expect, it } from 'vitest';
import {
  bytes,
  clock,
  count,
  dateAndAge,
  dateTime,
  duration,
  localDate,
  plural,
  timeAgo,
} from '../../../src/domain/text/time-text.ts';
import { NOW } from '../../support/render/samples.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe('timeAgo', () => {
  // Now is February 3, 2026, 12:00.
  it.each([
    [0, 'just now'],
    [59 * SECOND, 'just now'],
    [MINUTE, '1 minute ago'],
    [59 * MINUTE, '59 minutes ago'],
    [HOUR, '1 hour ago'],
    [11 * HOUR, '11 hours ago'],
    [12 * HOUR, '12 hours ago'],
    [12 * HOUR + MINUTE, 'yesterday'],
    [36 * HOUR, 'yesterday'],
    [36 * HOUR + MINUTE, '2 days ago'],
    [6 * DAY, '6 days ago'],
    [7 * DAY, '1 week ago'],
    [13 * DAY, '1 week ago'],
    [14 * DAY, '2 weeks ago'],
    [28 * DAY, '4 weeks ago'],
    [29 * DAY, 'Jan 5'],
    [33 * DAY, 'Jan 1'],
    [34 * DAY, 'Dec 31, 2025'],
    [-MINUTE, 'just now'],
    [-2 * DAY, 'Feb 5, in the future'],
  ])('describes %d ms ago as %s', (age, expected) => {
    expect(timeAgo(new Date(NOW - age).toISOString(), NOW)).toBe(expected);
  });

  it('says "11 hours ago", not "yesterday", for last evening', () => {
    const morning = Date.parse('2026-02-03T06:00:00Z');
    expect(timeAgo('2026-02-02T19:00:00Z', morning)).toBe('11 hours ago');
    expect(timeAgo('2026-02-02T17:00:00Z', morning)).toBe('yesterday');
  });

  it('handles an invalid date in an age', () => {
    expect(timeAgo(null, NOW)).toBe('date unknown');
    expect(timeAgo('soon', NOW)).toBe('date unknown');
  });
});

it.each([
  ['2026-02-03T09:00:00Z', 'Feb 3, 2026 09:00 (3 hours ago)'],
  ['2025-10-08T09:00:00Z', 'Oct 8, 2025 09:00'],
  ['2031-10-08T09:00:00Z', 'Oct 8, 2031 09:00 (in the future)'],
  [null, 'date unknown'],
])('prints the age of %s with its date, but not the same date twice', (iso, expected) => {
  expect(dateAndAge(iso, NOW)).toBe(expected);
  expect(dateAndAge('2026-01-03T09:00:00Z', NOW)).toBe('Jan 3, 2026 09:00');
});

describe('dateTime', () => {
  it('gives the local date and time', () => {
    expect(dateTime('2026-01-05T09:07:00Z')).toBe('Jan 5, 2026 09:07');
    expect(clock('2026-01-05T09:07:00Z')).toBe('09:07');
    expect(clock(null)).toBe('');
    expect(localDate('2026-01-05T09:07:00Z')).toBe('2026-01-05');
    expect(localDate(null)).toBe('');
  });
});

it.each([
  [0, '0 ms'],
  [999.7, '1 s'],
  [1000, '1 s'],
  [1240, '1.2 s'],
  [9949, '9.9 s'],
  [9960, '10 s'],
  [59_600, '1 min'],
  [125_000, '2 min 5 s'],
  [3_600_000, '1 h'],
  [3_780_000, '1 h 3 min'],
  [3 * DAY, '3 days'],
])('formats a duration of %d ms as %s', (ms, expected) => expect(duration(ms)).toBe(expected));

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.0 kB'],
  [12_345_678, '12.3 MB'],
  [345_678_901, '346 MB'],
  [999_950_000, '1.0 GB'],
  [5e15, '5000 TB'],
])('formats %d bytes as %s', (n, expected) => expect(bytes(n)).toBe(expected));

it('formats counts with separators', () => {
  expect([0, 999, 1000, 15847, 1234567].map(count)).toEqual(['0', '999', '1,000', '15,847', '1,234,567']);
  expect(plural(1, 'session')).toBe('1 session');
  expect(plural(1200, 'session')).toBe('1,200 sessions');
});
