import { dayText } from '../text/time-text.ts';
import type { Mention } from './understanding.ts';

/** A time found in a text, as chrono-node describes it. */
export interface TimeFound {
  index: number;
  text: string;
  start: FoundDate;
  end: FoundDate | null;
  /** "recently": from its start until now. */
  lasts?: true;
  /** "older than a week" ends before its start, and "newer than a week" begins there; a season, a quarter or a week has exact limits. */
  limits?: 'before' | 'since' | 'calendar' | 'week';
}

export interface FoundDate {
  date: Date;
  /** The smallest unit that the text names. */
  unit: 'hour' | 'day' | 'month' | 'year';
  /** "March 3", unlike "Monday". */
  namesMonth: boolean;
  namesYear: boolean;
}

/** Sessions of agents are not older, so that other numbers are no years. */
export const FIRST_YEAR = 2022;

/** Which side of a time is wanted, and the words for it as regular expressions. Any other preposition asks for the time itself. */
const SIDES = {
  until:
    '(?:up\\s{1,9})?(?:until|till)(?:\\s{1,9}and\\s{1,9}including)?|up\\s{1,9}to(?:\\s{1,9}and\\s{1,9}including)?|through|(?:no|not)\\s{1,9}later\\s{1,9}than|not\\s{1,9}after',
  since:
    'since|(?:starting|beginning)(?:\\s{1,9}(?:from|in|on|with))?|(?:no|not)\\s{1,9}earlier\\s{1,9}than|not\\s{1,9}before',
  before: 'before|prior\\s{1,9}to|earlier\\s{1,9}than',
  after: 'after|later\\s{1,9}than',
};
export const SIDE = Object.values(SIDES).join('|');
const IS_SIDE = Object.entries(SIDES).map(([side, source]) => [side, new RegExp(`^(?:${source})$`)] as const);
const ONWARDS =
  /^\s+(?:(so\s+far)|on|onwards?|(?:and|or)\s+(?:after|later|newer|(earlier|before|older)))(?=\s*(?:$|[,.;:?!)\]\0]))/i;

/** What follows a time: "from 19 Feb on", "2025 or earlier", "this year so far". */
export function readOnwards(behind: string): { side: 'since' | 'until' | null; length: number } {
  const found = ONWARDS.exec(behind);
  if (found === null) return { side: null, length: 0 };
  const side = found[1] !== undefined ? null : found[2] === undefined ? 'since' : 'until';
  return { side, length: found[0].length };
}

/** The side that a preposition asks for, and the preposition itself if it asks for none. */
export function sideOf(words: string): string {
  const said = words.toLowerCase().replace(/\s+/g, ' ');
  return IS_SIDE.find(([, words]) => words.test(said))?.[0] ?? said;
}

/**
 * The times of the sessions that are wanted, as a mention without its place. Null if there can be none.
 * @param word as `sideOf` tells it, or the empty string
 * @param isLast "last week" as the week that is over, unlike "the last week"
 * @param ofEvent "before the release in March"
 */
export function limitTime(
  time: TimeFound,
  { word, isLast, ofEvent = false }: { word: string; isLast: boolean; ofEvent?: boolean },
  now: number,
): Pick<Mention, 'filter' | 'understood'> | null {
  // On a Sunday, it may be the week that ends today.
  const isOver =
    isLast && /^(?:last|previous)\s+week$/i.test(time.text.trim()) && new Date(now).getDay() !== 0;
  const range = rangeOf(time, now, isOver || word === 'until');
  if (range === null) return null;
  const limits = limitsOf(
    word,
    { ofEvent, isRange: time.end !== null && time.limits === undefined },
    range,
    now,
  );
  if (limits === null) return null;
  if (limits.until !== null && new Date(limits.until).getFullYear() < FIRST_YEAR) return null;
  const understood = (['since', 'until'] as const).flatMap((kind) => {
    const at = limits[kind];
    if (at === null) return [];
    return [{ kind, value: new Date(at).toISOString(), text: `${kind} ${dayText(at, now)}` }];
  });
  return { filter: Object.fromEntries(understood.map(({ kind, value }) => [kind, value])), understood };
}

export interface Range {
  start: number;
  /** Null if it lasts until now. */
  end: number | null;
}

function limitsOf(
  word: string,
  { ofEvent, isRange }: { ofEvent: boolean; isRange: boolean },
  { start, end }: Range,
  now: number,
): { since: number | null; until: number | null } | null {
  const last = end ?? now;
  if (start > now) return null;
  // "before the release in March": the release is some day in March.
  if (word === 'before') return { since: null, until: ofEvent ? last : start - 1 };
  if (word === 'until') return { since: null, until: last };
  if (word === 'after') return { since: ofEvent || end === null ? start : end + 1, until: null };
  if (word === 'around')
    return { since: start - AROUND_MS, until: last + AROUND_MS >= now ? null : last + AROUND_MS };
  if (word === 'since' && !isRange) return { since: start, until: null };
  return { since: start, until: end === null || end >= now ? null : end };
}

const DAY_MS = 86_400_000;
/** "around 20 February": a week before and after. */
const AROUND_MS = 7 * DAY_MS;
const UNIT_DAYS: Record<string, number> = { hour: 1, day: 1, week: 7, fortnight: 7, month: 30, year: 365 };

/** The words of a time that has two. */
const FROM_TO = /^(\S.{0,60}?)\s{1,9}(?:and|to|till|until|through|-|–)\s{1,9}(.+)$/i;

/**
 * The period that the words mean; if in doubt, the longer one. Null if it lies in the future.
 * @param ends whether last week ends with its last day, as in "until last week"
 */
export function rangeOf(
  { text, start, end, lasts, limits }: TimeFound,
  now: number,
  ends = false,
): Range | null {
  if (limits !== undefined) {
    const last = end === null ? Number.POSITIVE_INFINITY : dayEnd(end.date.getTime());
    return { start: dayStart(start.date.getTime()), end: last >= now ? null : last };
  }
  const [, from, to] = (end !== null && FROM_TO.exec(text)) || [];
  if (end !== null && from !== undefined && to !== undefined) {
    const first = rangeOf({ index: 0, text: from, start, end: null }, now);
    const last = rangeOf({ index: 0, text: to, start: end, end: null }, now, true);
    return first === null || last === null ? null : { start: first.start, end: last.end };
  }
  const words = text.trim().toLowerCase();
  const ago = /(hour|day|week|fortnight|month|year)s?\s+(?:ago|back)$/.exec(words)?.[1];
  if (ago !== undefined) {
    const many = /\b(?:few|several)\b/.test(words) ? 3 : /\bhalf\b/.test(words) ? 0.25 : 1;
    const reach = (UNIT_DAYS[ago] ?? 1) * many * DAY_MS;
    const [from, to] = [start.date.getTime() - reach, start.date.getTime() + reach];
    return { start: dayStart(from), end: to >= now ? null : dayEnd(to) };
  }
  const weekend = /^(?:(last|past|previous|this)\s+)?weekend$/.exec(words);
  if (weekend !== null) return weekendOf(weekend[1] ?? 'this', now);
  const relative = /^(last|past|previous|this)\s+(night|morning|week|month|quarter|year)$/.exec(words);
  if (relative !== null) {
    const [, which, unit = ''] = relative;
    const isDay = unit === 'night' || unit === 'morning';
    const back = unit === 'night' || (which !== 'this' && unit !== 'morning') ? 1 : 0;
    const isOver = ends && which !== 'this' && !isDay;
    return { start: beginOf(unit, now, back), end: isOver ? beginOf(unit, now) - 1 : null };
  }
  if (lasts === true || LASTING.test(words)) return { start: dayStart(start.date.getTime()), end: null };
  const first = inPast(start, now);
  const last = end === null ? first : inPast(end, now);
  if (first === null || last === null) return null;
  return { start: beginOf(start.unit, first), end: beginOf((end ?? start).unit, last, -1) - 1 };
}

const LASTING =
  /^(?:last|past|previous)\b.*(?:\b(?:minute|hour|day|week|fortnight|month|quarter|year)s?|\d\s?[hdw])$/;

/** When a unit of time begins in which a time is, or one that is some before it. Weeks begin on Monday; other units are days. */
export function beginOf(unit: string, time: number, back = 0): number {
  const day = new Date(dayStart(time));
  if (unit === 'week') day.setDate(day.getDate() - ((day.getDay() + 6) % 7) - 7 * back);
  else if (unit === 'month') day.setMonth(day.getMonth() - back, 1);
  else if (unit === 'quarter') day.setMonth(3 * (Math.floor(day.getMonth() / 3) - back), 1);
  else if (unit === 'year') day.setFullYear(day.getFullYear() - back, 0, 1);
  else day.setDate(day.getDate() - back);
  return day.getTime();
}

/** Saturday and Sunday. On one of them, "last weekend" is the one before. */
function weekendOf(which: string, now: number): Range {
  const day = new Date(dayStart(now));
  const sinceSaturday = (day.getDay() + 1) % 7;
  day.setDate(day.getDate() - sinceSaturday - (which !== 'this' && sinceSaturday < 2 ? 7 : 0));
  const end = dayEnd(new Date(day).setDate(day.getDate() + 1));
  return { start: day.getTime(), end: end >= now ? null : end };
}

/** Sessions are past: without a year, October is the last one, and Monday was this or last week. */
function inPast({ date, unit, namesMonth, namesYear }: FoundDate, now: number): number | null {
  const at = new Date(date);
  if (beginOf(unit, at.getTime()) <= now) return at.getTime();
  if (namesYear) return null;
  const isFar = namesMonth || Math.abs(at.getTime() - now) > 7 * DAY_MS;
  return isFar ? at.setFullYear(at.getFullYear() - 1) : at.setDate(at.getDate() - 7);
}

function dayStart(time: number): number {
  return new Date(time).setHours(0, 0, 0, 0);
}

function dayEnd(time: number): number {
  return new Date(time).setHours(23, 59, 59, 999);
}
