import { casual } from 'chrono-node/en';
import { MONTH } from '../../domain/query/may-name-time.ts';
import { FIRST_YEAR, type FoundDate, type TimeFound } from '../../domain/query/time-range.ts';
import { calendarTimes } from './calendar-times.ts';
import { fullDate, matchTimes } from './match-times.ts';

type Result = ReturnType<typeof casual.parse>[number];
type Components = Result['start'];

/** Dates and times in an English text, in local time. Loads slowly: import it only if a text may contain one. */
export function findTimes(text: string, now: number): TimeFound[] {
  const dates = casual
    .parse(inItsWords(text), new Date(now))
    .filter(({ index, text: words }) => !isPartOfWord(text, index, words))
    .map(({ index, text: words, start, end }): TimeFound => {
      // chrono-node includes white space and the preposition of "on Monday"; "the end of October" is its last day.
      const lead = /^\(?(?:on\s+|in\s+|(end of\s+)|(?<=\())/i.exec(words);
      const skipped = lead?.[0].length ?? 0;
      return {
        index: index + skipped,
        text: wordsAt(text, index + skipped, words.slice(skipped).replace(/(?<![\s,)])[\s,)]+$/, '')),
        start: lead?.[1] === undefined ? foundDate(start) : { ...foundDate(start), unit: 'month' },
        end: end == null ? null : foundDate(end),
      };
    });
  const months = bareMonths(text, now);
  const years = bareYears(text, now);
  const found: TimeFound[] = [];
  for (const one of [
    ...calendarTimes(text, [...dates, ...months, ...years], now),
    ...vagueTimes(text, now),
    ...dates,
    ...years,
    ...months,
  ])
    if (
      !found.some(
        (other) => one.index < other.index + other.text.length && other.index < one.index + one.text.length,
      )
    )
      found.push(one);
  const named = found.filter(({ index, text: words }) => !isCountedFrom(text, index, index + words.length));
  return joinRanges(
    text,
    named.sort((a, b) => a.index - b.index),
  );
}

/** "a week before Christmas", "the weekend after 15 June" are none of the times that they name. */
function isCountedFrom(text: string, start: number, end: number): boolean {
  return (
    COUNTED_FROM.test(text.slice(0, start)) || COUNTS.test(`${text.slice(start, end)}\0${text.slice(end)}`)
  );
}

const COUNTED_FROM =
  /(?<!\b(?:last|past|previous|this)\s{1,9})\b(?:days?|nights?|weeks?|weekend|months?)\s{1,9}(?:after|before|following)\s{1,9}(?:the\s{1,9})?$/i;
const COUNTS = /^(?:the\s{1,9})?weekend\0\s{1,9}(?:after|before|following)\s/i;

/** The text, of the same length, in words that chrono-node knows. */
function inItsWords(text: string): string {
  return text
    .replace(BACK, '$1 ago ')
    .replace(PART, ' ')
    .replace(FORTNIGHT, '$1two weeks')
    .replace(FROM_DAY, '    ')
    .replace(DAYS, '       $1to ');
}

/** chrono-node knows "ago", which is shorter than "back". */
const BACK = /\b((?:day|week|month|year)s?) back\b/gi;

/** It knows no "mid-October", "last fortnight", "from 17 to 19 Feb" or "between 17 and 19 Feb". */
const PART = /(?<=\b(?:early|mid|late))-/gi;
const FORTNIGHT = /(\b(?:last|past|previous) )fortnight\b/gi;
const FROM_DAY = /\bfrom(?=\s{1,9}\d)/gi;
const DAYS =
  /\bbetween(?=\s{1,9}\d)(\s{1,9}\d{1,2}(?:st|nd|rd|th)?\s{1,9})and(?=\s{1,9}\d{1,2}(?:st|nd|rd|th)?\s)/gi;

/** "claude-sonnet-2026-02-17" names no date. Which number of 03/04/2026 is the month differs between countries. */
function isPartOfWord(text: string, index: number, words: string): boolean {
  const [, first, second] = /^(\d{1,2})[/.-](\d{1,2})[/.-]\d{2,4}\b/.exec(words) ?? [];
  const isAmbiguous = Number(first) <= 12 && Number(second) <= 12 && first !== second;
  return isAmbiguous || IN_WORD.test(text.slice(0, index));
}

const IN_WORD = new RegExp(`(?:[\\w./@]|(?<!\\b(?:early|mid|late|${MONTH}))-)$`, 'i');

function wordsAt(text: string, index: number, found: string): string {
  const longer = text.slice(index, index + found.length + 1);
  return / back$/i.test(longer) ? longer : text.slice(index, index + found.length);
}

function foundDate(components: Components): FoundDate {
  return {
    date: components.date(),
    unit: unitOf(components),
    namesMonth: components.isCertain('month'),
    namesYear: components.isCertain('year'),
  };
}

function unitOf(components: Components): FoundDate['unit'] {
  if (components.isCertain('hour')) return 'hour';
  if (components.isCertain('day') || components.isCertain('weekday')) return 'day';
  if (components.isCertain('month')) return 'month';
  return components.isCertain('year') ? 'year' : 'day';
}

/** Years on their own, which chrono-node does not recognize. "2025 rows" is a number. */
function bareYears(text: string, now: number): TimeFound[] {
  const last = new Date(now).getFullYear();
  return matchTimes(text, YEAR, (year) =>
    FIRST_YEAR <= Number(year) && Number(year) <= last
      ? { start: { ...fullDate(new Date(Number(year), 0, 1), 'year'), namesMonth: false } }
      : null,
  );
}

const YEAR =
  /(?<![\w./-])20\d\d(?![\w/-])(?!\s+(?:bytes|calls|char(?:acter)?s|chunks|columns|connections|documents|elements|entries|files|items|lines|messages|milliseconds|minutes|ms|nodes|objects|pages|pixels|points|px|records|requests|results|rows|seconds|times|tokens|turns|users|vectors|words|[kmg]b)\b)/gi;

/** What chrono-node does not know: "recently", "the other day", "last February", "June of last year". */
function vagueTimes(text: string, now: number): TimeFound[] {
  const year = new Date(now).getFullYear();
  return [
    ...LASTING.flatMap(({ words, days }) =>
      matchTimes(text, words, () => ({ start: fullDate(new Date(now - days * DAY_MS)), lasts: true })),
    ),
    ...matchTimes(text, LAST_MONTH, (_, name = '') => ({ start: monthNamed(name, year) })),
    ...matchTimes(text, ISO_MONTH, (_, named, month) => ({
      start: fullDate(new Date(Number(named), Number(month) - 1, 1), 'month'),
    })),
    ...matchTimes(text, DOTTED, (_, day, month, named) => ({
      start: fullDate(new Date(Number(named), Number(month) - 1, Number(day))),
    })),
    ...matchTimes(text, MONTH_OF_YEAR, (_, name = '', which = '') => ({
      start: { ...monthNamed(name, /last/i.test(which) ? year - 1 : year), namesYear: true },
    })),
  ];
}

function monthNamed(name: string, year: number): FoundDate {
  const date = new Date(year, MONTHS.indexOf(name.slice(0, 3).toLowerCase()), 1);
  return { ...fullDate(date, 'month'), namesYear: false };
}

const DAY_MS = 86_400_000;
const LASTING = [
  {
    words:
      /\b(?:recently|lately|these days|not long ago|(?<!most\s)recent\s+(?:stuff|things|work|sessions?|conversations?|chats?))\b/gi,
    days: 14,
  },
  { words: /\bthe other day\b/gi, days: 7 },
];
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const LAST_MONTH = new RegExp(`\\b(?:last|past|previous)\\s+(${MONTH})\\b`, 'gi');
const ISO_MONTH = /(?<![\w./-])(20\d\d)-(0[1-9]|1[0-2])(?![\w./-])/g;
/** The day comes first. */
const DOTTED = /(?<![\w./-])(0?[1-9]|[12]\d|3[01])\.(0?[1-9]|1[0-2])\.(20\d\d)(?![\w/-]|\.\w)/g;
const MONTH_OF_YEAR = new RegExp(`\\b(${MONTH})\\s+(?:of\\s+)?(last|this)\\s+year\\b`, 'gi');

/** Short names of months, and May, without a day or a year: chrono-node knows them after few prepositions. */
function bareMonths(text: string, now: number): TimeFound[] {
  return matchTimes(text, SHORT_MONTH, (name = '') => ({
    start: monthNamed(name, new Date(now).getFullYear()),
  }));
}

/** "May" and "mar" are other words, too. */
const SHORT_MONTH =
  /(?<![\w./-])(?<!\d(?:st|nd|rd|th)?\s{1,3})(?:(?<=\b(?:after|and|before|between|during|of|since|till|until)\s{1,9})(?:may|mar)|jan|feb|apr|jun|jul|aug|sept?|oct|nov|dec)\b(?![./]\w|-(?!jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w)/gi;

/** Joins the two times of "between Oct 3 and Oct 10" and of "Feb to March 2026". */
function joinRanges(masked: string, found: TimeFound[]): TimeFound[] {
  const [first, second] = found;
  if (first === undefined || second === undefined || first.end !== null || second.end !== null) return found;
  const between = masked.slice(first.index + first.text.length, second.index);
  const isAnd = /^\s*and\s*$/i.test(between) && /\bbetween\s+$/i.test(masked.slice(0, first.index));
  const isTo = first.start.unit === 'month' && second.start.unit === 'month' && TO.test(between);
  if (!isAnd && !isTo) return found;
  const text = masked.slice(first.index, second.index + second.text.length);
  const { namesYear } = second.start;
  const start =
    isTo && namesYear && !first.start.namesYear ? inYearOf(first.start, second.start) : first.start;
  return [{ ...first, text, start, end: second.start }, ...found.slice(2)];
}

const TO = /^\s*(?:[-–/&]|and|to|through)\s*$/i;

/** The last one before a date that names its year. */
function inYearOf(month: FoundDate, { date }: FoundDate): FoundDate {
  const at = new Date(date.getFullYear(), month.date.getMonth(), 1);
  if (at > date) at.setFullYear(at.getFullYear() - 1);
  return { ...month, date: at, namesYear: true };
}
