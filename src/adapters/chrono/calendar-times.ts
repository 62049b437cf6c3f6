import { beginOf, FIRST_YEAR, type TimeFound } from '../../domain/query/time-range.ts';
import { fullDate, matchTimes } from './match-times.ts';

/** Times that chrono-node does not know: "last summer", "Q3", "the week of Aug 3", "older than two weeks", "around Christmas". */
export function calendarTimes(text: string, dates: TimeFound[], now: number): TimeFound[] {
  return [
    ...periods(text, now),
    ...comparisons(text, now),
    ...beforeLast(text, now),
    ...numberedWeeks(text, now),
    ...dates.flatMap((date) => partsOf(text, date, now)),
  ];
}

const YEAR = '(?:\\s{1,9}(?:of\\s{1,9})?(20\\d\\d))?';
/** A noun after it makes it part of the topic: "in summer time", "the Q3 report". */
const ENDS = '(?=\\s*(?:$|[,.;:?!)])|\\s{1,9}(?:about|for|in|of|on|that|to|we|i|when|where|which|with)\\b)';

/** With a year, or after "last" at the beginning, these may go on: "summer 2026 plans", "last winter oauth". */
const FIRST =
  '(?:(?<=20\\d\\d)(?=\\s)|(?<=^\\s{0,9}last\\s{1,9}\\w{4,6})(?=\\s)(?!\\s{1,9}(?:back|boot|cleaning|cloud|framework|mvc|off|out|over|security|through)\\b))';

interface Period {
  words: RegExp;
  /** Its first day and the day after its last in a year; months from 0. */
  of(name: string, year: number): [Date, Date];
}

const SEASONS = ['winter', 'spring', 'summer', 'autumn'];
const ORDINALS = ['first', 'second', 'third', 'fourth'];

/** Each as "in summer 2026", "last summer"; the name is group 2, and the year group 3. */
const PERIODS: Period[] = [
  {
    words: new RegExp(
      `\\b(?:(last|this|past|previous)\\s{1,9})?(winter|spring|summer|autumn|fall)${YEAR}(?:${ENDS}|${FIRST})`,
      'gi',
    ),
    // Winter begins in December of the year before.
    of: (name, year) => {
      const month = 3 * Math.max(0, SEASONS.indexOf(name === 'fall' ? 'autumn' : name)) - 1;
      return [new Date(year, month, 1), new Date(year, month + 3, 1)];
    },
  },
  {
    words: new RegExp(
      `\\b(?:(last|this|past|previous)\\s{1,9})?(Q[1-4]|H[12](?=\\s{1,9}20\\d\\d)|(?:1st|2nd|3rd|4th|first|second|third|fourth)\\s{1,9}quarter|(?:first|second)\\s{1,9}half\\s{1,9}of(?:\\s{1,9}the\\s{1,9}year|(?=\\s{1,9}20\\d\\d)))${YEAR}(?:${ENDS}|${FIRST})`,
      'gi',
    ),
    of: (name, year) => {
      const at = Number(/[1-4]/.exec(name)?.[0] ?? ORDINALS.indexOf(name.split(/\s/)[0] ?? '') + 1) - 1;
      const months = name.includes('half') || name.startsWith('h') ? 6 : 3;
      return [new Date(year, months * at, 1), new Date(year, months * (at + 1), 1)];
    },
  },
  {
    words: new RegExp(
      `\\b(?:(last|this)\\s{1,9})?(christmas|xmas|new\\s{1,9}year(?:['’]?s)?|halloween)${YEAR}${ENDS}`,
      'gi',
    ),
    of: (name, year) => {
      if (name === 'halloween') return [new Date(year, 9, 31), new Date(year, 10, 1)];
      // The new year of a year begins on the last day of the one before.
      if (name.startsWith('new')) return [new Date(year, -1, 31), new Date(year, 0, 2)];
      return [new Date(year, 11, 24), new Date(year, 11, 27)];
    },
  },
];

function periods(text: string, now: number): TimeFound[] {
  return PERIODS.flatMap(({ words, of }) =>
    matchTimes(text, words, (_, which = '', name = '', named = '') => {
      const period = name.toLowerCase().trim();
      const latest = new Date(now).getFullYear() + 1;
      const years = named === '' ? [latest, latest - 1, latest - 2, latest - 3] : [Number(named)];
      const begun = years.map((year) => of(period, year)).filter(([start]) => start.getTime() <= now);
      // "Last summer" is over.
      const isOver = /^(?:last|past|previous)$/i.test(which);
      const range = begun.find(([, end]) => !isOver || end.getTime() <= now);
      return range === undefined ? null : passed(range, now, 'calendar');
    }),
  );
}

const COUNT =
  '(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|\\d{1,3}|an?\\s{1,9}(?:couple(?:\\s{1,9}of)?|few)|several)';
const UNIT = '(?:day|week|month|year)s?';
const SPAN = `(${COUNT}\\s{1,9}${UNIT}|half\\s{1,9}a\\s{1,9}year)`;
const OLDER = new RegExp(
  `\\b(older|newer|younger|more\\s{1,9}recent)\\s{1,9}than\\s{1,9}${SPAN}\\b(?!\\s{1,9}ago)`,
  'gi',
);
const MORE = new RegExp(
  `\\b(more\\s{1,9}than|over|less\\s{1,9}than|under)\\s{1,9}${SPAN}\\s{1,9}(?:ago|old)\\b`,
  'gi',
);
const NUMBERS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/** "older than two weeks", "less than a month ago". */
function comparisons(text: string, now: number): TimeFound[] {
  return [OLDER, MORE].flatMap((pattern) =>
    matchTimes(text, pattern, (_, than = '', span = '') => ({
      start: fullDate(before(now, span.toLowerCase())),
      limits: /^(?:older|more\s+than|over)$/i.test(than) ? 'before' : 'since',
    })),
  );
}

/** Of "a couple of", "few", "3". */
function countOf(words: string): number {
  const many = /couple/.test(words) ? 2 : /few|several/.test(words) ? 3 : 0;
  const [word = ''] = words.toLowerCase().split(/\s/);
  return many || Number(word) || Math.max(1, NUMBERS.indexOf(word));
}

function before(now: number, span: string): Date {
  const [count = ''] = span.split(/\s/);
  const number = countOf(span);
  const date = new Date(now);
  const months =
    count === 'half' ? 6 : span.includes('month') ? number : span.includes('year') ? 12 * number : 0;
  if (months === 0) date.setDate(date.getDate() - number * (span.includes('week') ? 7 : 1));
  else date.setMonth(date.getMonth() - months);
  // A month before 31 March is the last day of February.
  if (months > 0 && date.getDate() < new Date(now).getDate()) date.setDate(0);
  return date;
}

const BEFORE_LAST =
  /\b(?:the\s{1,9})?(?:(day)\s{1,9}before\s{1,9}yesterday|(week|weekend|month|quarter|year|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\s{1,9}before\s{1,9}last)\b/gi;
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** "the day before yesterday", "the weekend before last", "Friday before last" */
function beforeLast(text: string, now: number): TimeFound[] {
  const today = new Date(now).getDay();
  const units = (unit: string, back: number, count: number): [Date, Date] => [
    new Date(beginOf(unit, now, back)),
    new Date(beginOf(unit, now, back - count)),
  ];
  return matchTimes(text, BEFORE_LAST, (_, isDay, name = '') => {
    const unit = isDay === '' ? name.toLowerCase() : 'day';
    // A Sunday's last weekend is the one before.
    if (unit === 'weekend')
      return passed(units('day', ((today + 6) % 7) + (today === 0 ? 16 : 9), 2), now, 'week');
    const since = (today - WEEKDAYS.indexOf(unit.slice(0, 3)) + 7) % 7 || 7;
    const isWeekday = unit.endsWith('day') && unit !== 'day';
    return passed(isWeekday ? units('day', since + 7, 1) : units(unit, 2, 1), now, 'week');
  });
}

const NUMBERED_WEEK =
  /\b(?:(?:calendar\s{1,9}week|iso\s{1,9}week|kw|cw)\s{0,3}(\d{1,2})|week\s{1,9}(\d{1,2})(?=\s{1,9}(?:of\s{1,9})?20\d\d\b))(?:\s{1,9}(?:of\s{1,9})?(20\d\d))?\b/gi;

/** "week 24 of 2026", "calendar week 24", as ISO 8601 counts them. Without a year, it is the most recent one that has begun. */
function numberedWeeks(text: string, now: number): TimeFound[] {
  return matchTimes(text, NUMBERED_WEEK, (_, named, ofYear, year) => {
    const number = Number(named || ofYear);
    if (number < 1 || number > 53) return null;
    const latest = new Date(now).getFullYear();
    const years = year === '' ? [latest, latest - 1] : [Number(year)];
    const range = years.map((one) => weekOf(one, number)).find(([start]) => start.getTime() <= now);
    return range === undefined ? null : passed(range, now, 'week');
  });
}

/** The first week of a year is that of 4 January. */
function weekOf(year: number, number: number): [Date, Date] {
  const monday = 4 - ((new Date(year, 0, 4).getDay() + 6) % 7) + 7 * (number - 1);
  return [new Date(year, 0, monday), new Date(year, 0, monday + 7)];
}

const WEEK_OF = /\b(?:the\s{1,9})?week(end)?\s{1,9}(?:of|starting|beginning)\s{1,9}(?:the\s{1,9})?$/i;
const PART_OF = new RegExp(
  `\\b(?:the\\s{1,9})?(first|second|third|fourth|last)\\s{1,9}(?:half|(?:(${COUNT})\\s{1,9})?(day|week)s?)\\s{1,9}of\\s{1,9}$`,
  'i',
);
/** Thirds of a month or a year. */
const THIRDS = ['early', 'mid', 'late'];
const THIRD_OF = /\b(early|mid|late)[\s-]{1,9}$/i;

/** A week of which a date is a part, or a part of a month: "the week of Aug 3", "the first week of October", "mid October". */
function partsOf(text: string, { index, text: words, start }: TimeFound, now: number): TimeFound[] {
  const lead = text.slice(0, index);
  const year = start.date.getFullYear();
  const isFuture = start.date.getTime() > now && !start.namesYear;
  const date = isFuture ? new Date(new Date(start.date).setFullYear(year - 1)) : start.date;
  const found = ({ index: from }: RegExpExecArray, range: [Date, Date]) => [
    { index: from, text: text.slice(from, index + words.length), ...passed(range, now, 'week') },
  ];
  const week = WEEK_OF.exec(lead);
  const [y, month, day] = [date.getFullYear(), date.getMonth(), date.getDate()];
  // Weeks begin on Monday.
  if (week !== null && start.unit === 'day') {
    const monday = day - ((date.getDay() + 6) % 7);
    const first = week[1] === undefined ? monday : monday + 5;
    return found(week, [new Date(y, month, first), new Date(y, month, monday + 7)]);
  }
  const third = THIRD_OF.exec(lead);
  if (third !== null && start.unit === 'year' && start.namesYear) {
    const first = 4 * THIRDS.indexOf(third[1]?.toLowerCase() ?? '');
    return found(third, [new Date(y, first, 1), new Date(y, first + 4, 1)]);
  }
  if (start.unit !== 'month') return [];
  if (third !== null) {
    const first = 1 + 10 * THIRDS.indexOf(third[1]?.toLowerCase() ?? '');
    const isAhead = new Date(y, month, first).getTime() > now && !start.namesYear;
    const ofYear = isAhead ? y - 1 : y;
    const end = first > 20 ? new Date(ofYear, month + 1, 1) : new Date(ofYear, month, first + 10);
    return found(third, [new Date(ofYear, month, first), end]);
  }
  const part = PART_OF.exec(lead);
  if (part === null) return [];
  const days = new Date(y, month + 1, 0).getDate();
  const [, ordinal = '', count = '1', unit] = part;
  const counted = countOf(count) * (unit?.toLowerCase() === 'week' ? 7 : 1);
  const length = unit === undefined ? Math.ceil(days / 2) : Math.min(days, counted);
  const at = ORDINALS.indexOf(ordinal.toLowerCase());
  const isLast = at < 0 || (length > 7 && at > 0);
  const first = isLast ? days - length : at * length;
  return found(part, [new Date(y, month, 1 + first), new Date(y, month, 1 + Math.min(days, first + length))]);
}

/** The time from one day until before another, as far as it has passed. */
function passed([start, end]: [Date, Date], now: number, limits: 'calendar' | 'week') {
  const last = new Date(Math.min(end.getTime() - 1, now));
  return {
    start: fullDate(start),
    end: start.getFullYear() < FIRST_YEAR - 1 ? null : fullDate(last),
    limits,
  };
}
