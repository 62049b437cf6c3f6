import { casual } from 'chrono-node/en';
import { FIRST_YEAR, type FoundDate, type TimeFound } from '../../domain/query/read-times.ts';
import { calendarTimes } from './calendar-times.ts';

type Result = ReturnType<typeof casual.parse>[number];
type Components = Result['start'];

/** Dates and times in an English text, in local time. Loads slowly: import it only if a text may contain one. */
export function findTimes(text: string, now: number): TimeFound[] {
  const dates = casual
    .parse(text.replace(BACK, '$1 ago ').replace(PART, ' '), new Date(now))
    .map(({ index, text: words, start, end }): TimeFound => {
      // chrono-node includes white space and the preposition of "on Monday"; "the end of October" is its last day.
      const lead = /^(?:on\s+|in\s+|(end of\s+))/i.exec(words);
      const skipped = lead?.[0].length ?? 0;
      return {
        index: index + skipped,
        text: wordsAt(text, index + skipped, words.slice(skipped).replace(/(?<![\s,])[\s,]+$/, '')),
        start: lead?.[1] === undefined ? foundDate(start) : { ...foundDate(start), unit: 'month' },
        end: end == null ? null : foundDate(end),
      };
    });
  const months = bareMay(text, now);
  const found: TimeFound[] = [];
  for (const one of [
    ...calendarTimes(text, [...dates, ...months], now),
    ...vagueTimes(text, now),
    ...dates,
    ...bareYears(text, now),
    ...months,
  ])
    if (
      !found.some(
        (other) => one.index < other.index + other.text.length && other.index < one.index + one.text.length,
      )
    )
      found.push(one);
  return found.sort((a, b) => a.index - b.index);
}

/** chrono-node knows "ago", which is shorter than "back". */
const BACK = /\b((?:day|week|month|year)s?) back\b/gi;

/** It knows no "mid-October". */
const PART = /(?<=\b(?:early|mid|late))-/gi;

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

/** What chrono-node does not know: "recently", "the other day", "last February". */
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
  const months = Array.from(text.matchAll(LAST_MONTH), ({ 0: found, 1: name = '', index }): TimeFound => {
    const month = MONTHS.indexOf(name.slice(0, 3).toLowerCase());
    const date = new Date(new Date(now).getFullYear(), month, 1);
    return {
      index,
      text: found,
      start: { date, unit: 'month', namesMonth: true, namesYear: false },
      end: null,
    };
  });
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
const LAST_MONTH =
  /\b(?:last|past|previous)\s+(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b/gi;

/** May without a year after most prepositions, where chrono-node takes it for a verb. */
function bareMay(text: string, now: number): TimeFound[] {
  return Array.from(text.matchAll(MAY), ({ 0: may, index }) => ({
    index,
    text: may,
    start: {
      date: new Date(new Date(now).getFullYear(), 4, 1),
      unit: 'month',
      namesMonth: true,
      namesYear: false,
    },
    end: null,
  }));
}

const MAY = /\bMay\b(?<=\b(?:after|and|before|between|during|since|till|until)\s+May)/gi;
