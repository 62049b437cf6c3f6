import { casual } from 'chrono-node/en';
import { FIRST_YEAR, type FoundDate, type TimeFound } from '../../domain/query/time-range.ts';
import { calendarTimes } from './calendar-times.ts';

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

const IN_WORD =
  /(?:[\w./@]|(?<!\b(?:early|mid|late|jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?))-)$/i;

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
  const found = Array.from(
    text.matchAll(YEAR),
    ({ 0: year, index }): TimeFound => ({
      index,
      text: year,
      start: { date: new Date(Number(year), 0, 1), unit: 'year', namesMonth: false, namesYear: true },
      end: null,
    }),
  );
  const last = new Date(now).getFullYear();
  return found.filter(({ text: year }) => FIRST_YEAR <= Number(year) && Number(year) <= last);
}

const YEAR =
  /(?<![\w./-])20\d\d(?![\w/-])(?!\s+(?:bytes|calls|char(?:acter)?s|chunks|columns|connections|documents|elements|entries|files|items|lines|messages|milliseconds|minutes|ms|nodes|objects|pages|pixels|points|px|records|requests|results|rows|seconds|times|tokens|turns|users|vectors|words|[kmg]b)\b)/gi;

/** What chrono-node does not know: "recently", "the other day", "last February", "June of last year". */
function vagueTimes(text: string, now: number): TimeFound[] {
  const lasting = LASTING.flatMap(({ words, days }) =>
    Array.from(text.matchAll(words), ({ 0: found, index }): TimeFound => {
      const date = new Date(now - days * DAY_MS);
      return {
        index,
        text: found,
        start: { date, unit: 'day', namesMonth: true, namesYear: true },
        end: null,
        lasts: true,
      };
    }),
  );
  const month = (index: number, found: string, name: string, isLast?: boolean): TimeFound => {
    const year = new Date(now).getFullYear() - (isLast === true ? 1 : 0);
    const date = new Date(year, MONTHS.indexOf(name.slice(0, 3).toLowerCase()), 1);
    const start = { date, unit: 'month', namesMonth: true, namesYear: isLast !== undefined } as const;
    return { index, text: found, start, end: null };
  };
  const months = [
    ...Array.from(text.matchAll(LAST_MONTH), ({ 0: found, 1: name = '', index }) =>
      month(index, found, name),
    ),
    ...Array.from(text.matchAll(ISO_MONTH), ({ 0: found, 1: year, 2: number, index }): TimeFound => {
      const date = new Date(Number(year), Number(number) - 1, 1);
      return {
        index,
        text: found,
        start: { date, unit: 'month', namesMonth: true, namesYear: true },
        end: null,
      };
    }),
    ...Array.from(text.matchAll(DOTTED), ({ 0: found, 1: day, 2: number, 3: year, index }): TimeFound => {
      const date = new Date(Number(year), Number(number) - 1, Number(day));
      return {
        index,
        text: found,
        start: { date, unit: 'day', namesMonth: true, namesYear: true },
        end: null,
      };
    }),
    ...Array.from(text.matchAll(MONTH_OF_YEAR), ({ 0: found, 1: name = '', 2: which = '', index }) =>
      month(index, found, name, /last/i.test(which)),
    ),
  ];
  return [...lasting, ...months];
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
const MONTH =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const LAST_MONTH = new RegExp(`\\b(?:last|past|previous)\\s+${MONTH}\\b`, 'gi');
const ISO_MONTH = /(?<![\w./-])(20\d\d)-(0[1-9]|1[0-2])(?![\w./-])/g;
/** The day comes first. */
const DOTTED = /(?<![\w./-])(0?[1-9]|[12]\d|3[01])\.(0?[1-9]|1[0-2])\.(20\d\d)(?![\w/-]|\.\w)/g;
const MONTH_OF_YEAR = new RegExp(`\\b${MONTH}\\s+(?:of\\s+)?(last|this)\\s+year\\b`, 'gi');

/** Short names of months, and May, without a day or a year: chrono-node knows them after few prepositions. */
function bareMonths(text: string, now: number): TimeFound[] {
  return Array.from(text.matchAll(SHORT_MONTH), ({ 0: name, index }) => ({
    index,
    text: name,
    start: {
      date: new Date(new Date(now).getFullYear(), MONTHS.indexOf(name.slice(0, 3).toLowerCase()), 1),
      unit: 'month',
      namesMonth: true,
      namesYear: false,
    },
    end: null,
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
