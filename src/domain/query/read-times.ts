import { setFields } from '../set-fields.ts';
import { dayText } from '../text/time-text.ts';
import { isStatement } from './is-statement.ts';
import { mentionsPastWork } from './mentions-past-work.ts';
import { AGENT } from './read-names.ts';
import { isCalendar, isTopicTime } from './time-topics.ts';
import { MASK, type Mention } from './understanding.ts';

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

const INTRO =
  /(?:^|[\s\0(,])(?:(since|after|before|until|till)\s+(?:(?=(?:the|a|an|our|my|its|we|i|they)\s)(?:(?:the|a|an|our|my|its)\s+)?((?:[\p{L}\p{N}.-]+\s+){1,5}?(?:in|on|of|from)\s+))?|(?:back\s+)?(in|on|from|during|within|over|between|around)\s+|at\s+(?=the\s+(?:beginning|start|middle|end)\b))(?:the\s+)?(?:(?:beginning|start|middle|end)\s+of\s+(?:the\s+)?|(?:early|mid|late)[\s-]+)?$/iu;
/** A time without a preposition, of a session rather than of a topic. */
const BARE =
  /^(?:yesterday|today|tonight|(?:yesterday|today|this)\s+(?:morning|afternoon|evening|night)|(?:last|past|this|previous|recent)\b.*|.* (?:ago|back)|recently|lately|these days|the other day|(?:the\s+)?(?:(?:first|second|third|fourth|last)\s+)?(?:week|half)\s+of\b.*|(?:early|mid|late)[\s-](?!may\b).*)$/i;
/** "the logo, feb 20", but not a list: "Jan 5, Feb 20" */
const AFTER_COMMA = /[^\d\s],\s*$/;
/** "last week" is over, unlike "the last week". */
const LAST_WEEK = /(?<!\bthe\s)\b(?:last|previous)\s+week$/i;
/** After a time at the beginning, these make it part of the topic: "last 7 days filter", "today view shows the wrong day". */
const NAMED_BY_TIME =
  /^\s+(?:(?:and|but one|or|vs\.?|is|are|was|were|should|does|shows?|charts?|dates?|options?|totals?|usage|costs?|stats|statistics|summary|data|tables?|range|formats?|rows?|fields?|badges?|sections?|entries|items?|values?|links?|toggles?|headers?|cards?|reports?|pages?)\b|(?:\S+\s+)?(?:views?|tabs?|buttons?|columns?|labels?|filters?|presets?|graphs?|pickers?|widgets?)\b)/i;
/** "recently used files" are no recent sessions, unlike those "we recently used". */
const PARTICIPLE = /^\s+(?!(?:we|i|you)\b)(?:\w{2,}ed|used|seen|sent|shown|written|chosen|made)\b/i;
const WE = /\b(?:we|i|you)(?:\s+(?:have|had))?\s+$/i;
const WORK =
  '(?:attempts?|bugs?|changes?|chats?|commits?|conversations?|crash(?:es)?|debugging|decisions?|deploy(?:ment)?|discussions?|errors?|failures?|fix(?:es)?|incidents?|issues?|merges?|migrations?|outages?|plans?|problems?|rebases?|refactor(?:ing)?|releases?|reviews?|rewrites?|sessions?|work)\\b';
/** "yesterday's bug", but "today's date". */
const OF_TIME = new RegExp(`^['’]s?\\s+(?=(?:\\w+\\s+)?${WORK})`, 'i');
const OF_LAST = /^['’]s?\s+/;
const LAST_DAY = /^(?:last|past|previous)\s+\w{1,9}day$/i;
/** After a weekday at the beginning: "on Monday that merge of the branches". */
const THAT_WORK = new RegExp(`^,?\\s+(?:(?:that|those)\\s+\\w|(?:our|my|the)\\s+(?:\\w+\\s+)?${WORK})`, 'i');
/** "18 feb", "march 3rd"; "may 5" and "5 may" could be the verb. */
const DAY_OF_MONTH =
  /^(?:\d{1,2}(?:st|nd|rd|th)?\s(?:of\s)?(?!may\b)\p{L}{3,9}\b|\d{1,2}(?:st|nd|rd|th)\s(?:of\s)?may\b|(?!may\b)\p{L}{3,9}\.?\s\d|may\s\d{1,2}(?:st|nd|rd|th)\b)/iu;
const ISO_DATE = /^20\d\d-\d\d-\d\d$/;
const LIMIT = /^(?:after|before|since|till|until)$/;
const SEASON_OF_YEAR = /^(?:winter|spring|summer|autumn|fall)\s.*20\d\d$/i;
/** "my August sessions" */
const OF_SESSIONS = /^\s+(?:\w+\s+)?(?:sessions?|conversations?|chats?)\b/i;
/** After a time in the middle, the topic: "what did we do last week about retries". */
const TOPIC_FOLLOWS =
  /^,?\s+(?:about|and|at|concerning|for|in|of|on|regarding|that|to|when|where|which|with)\b/i;
/** Belongs to a bare time: "earlier this week". */
const EARLIER = /(?:^|(?<=\s))(?:earlier|late|later|so far|sometime)\s+$/i;
/** "sessions in February about X", "what did we do in June about X". */
const AT_START =
  /^[\s\0]*(?:(?:(?:a|all|any|my|our|that|the)\s+)*(?:sessions?|conversations?|chats?)[\s\0]*|what\s+(?:(?:did|had|have)\s+)?(?:i|we)\s+\w+(?:\s+on)?[\s\0]*)?$/i;
/** "sessions in February about X": the sessions are no topic either. */
const SESSIONS =
  /(?<=^[\s\0]{0,40})(?:all\s{1,9})?(?:(?:my|our|the)\s{1,9})?(?:sessions|conversations|chats|anything|everything|something|stuff)\s{1,40}$/i;
/** "codex sessions this month about X", "anything this week on X" */
const ASKED = new RegExp(
  `^[\\s\\0]*(?:(?:a|all|any|my|our|that|the)\\s+)*(?:(?:${AGENT}\\s+)?(?:sessions?|conversations?|chats?)|anything|everything|something|stuff|what\\s+do\\s+we\\s+have)\\s+$`,
  'i',
);
/** "codex in July, the detail page" */
const AGENT_FIRST = new RegExp(`^[\\s\\0]*(?:(?:from|in|using|with)\\s+)?${AGENT}\\s+$`, 'i');
const AFTER_START = /^\s*(?:[,:]|(?:i|we)['’]ve\b)/i;
/** "last week we decided", but "today i see wrong totals". */
const FIRST_PERSON = /^\s*(?:i|we)(?:\s+\S+){0,3}/i;
const HAD = /\b(?:i|we)\s+had\b/i;
const WORD_ENDS = /^(?:[,.;:!?)]*(?:\s|\0|$))/;
const AT_END = /^\s*(?:[,.;:!?)]+\s*)?(?:$|\0)/;
/** Flags make a query a command line: "git log --since yesterday". */
const FLAG = /(?:^|\s)--?\p{L}[\p{L}-]*\s+$/u;

/** Times at the beginning or the end of a query: "last week", "in October", "before the release in March". */
export function readTimes(masked: string, found: TimeFound[], now: number): Mention[] {
  const mentions: Mention[] = [];
  let open = masked;
  for (const time of joinRanges(masked, found).toReversed()) {
    const mention = timeMention(open, time, now);
    if (mention === null) continue;
    mentions.push(mention);
    open = `${open.slice(0, mention.start)}\0${open.slice(mention.end)}`;
  }
  return mentions.toReversed();
}

/** The period that a text names, if it names one and nothing else: "last week", "in June 2026", "Monday". */
export function readPeriod(text: string, found: TimeFound[], now: number): Range | null {
  const [time] = found;
  if (time === undefined || time.limits === 'before' || time.limits === 'since') return null;
  const rest = `${text.slice(0, time.index)} ${text.slice(time.index + time.text.length)}`;
  if (!/^\s*(?:(?:in|on|the)\s+)?$/i.test(rest)) return null;
  const { date } = time.start;
  const isAge = time.end === null && /\b(?:ago|back)$/i.test(time.text) && date.getTime() <= now;
  return isAge ? { start: date.getTime(), end: date.getTime() } : rangeOf(time, now, true);
}

function timeMention(masked: string, time: TimeFound, now: number): Mention | null {
  const before = masked.slice(0, time.index);
  const behind = masked.slice(time.index + time.text.length);
  const { limits: fixed } = time;
  const ofLast = LAST_DAY.test(time.text) && !/\w/.test(before) ? OF_LAST.exec(behind) : null;
  const isNamed = ofLast !== null && NAMED_BY_TIME.test(behind.slice(ofLast[0].length - 1));
  const possessive = (OF_TIME.exec(behind) ?? (isNamed ? null : ofLast))?.[0].length ?? 0;
  const after = behind.slice(possessive);
  const isAge = fixed === 'before' || fixed === 'since';
  const intro = isAge ? null : INTRO.exec(before);
  const isListed =
    time.start.unit === 'day' && time.start.namesMonth && AFTER_COMMA.test(before) && AT_END.test(behind);
  const isDated = isListed && !BARE.test(time.text.trim());
  const word = isAge
    ? fixed
    : (intro?.[1] ?? intro?.[3] ?? (intro === null && !isDated ? '' : 'in')).toLowerCase();
  const ofTime = possessive > 0 || (time.start.namesMonth && OF_SESSIONS.test(behind));
  const isDate = word === '' && isDateFirst(time, before, after);
  if (word === '' && !ofTime && !isDate && !isBare(time, after)) return null;
  // "last summer sale"
  if (word === '' && fixed === 'calendar' && isCalendar(after)) return null;
  const start = startOf(time.index, before, intro);
  const isYear = time.start.unit === 'year';
  const said = { before: masked.slice(0, start), word, text: time.text, isYear, limits: fixed };
  // "on Monday we renamed a file" is past work, too.
  const isTold =
    !/\w/.test(said.before) &&
    (isTelling(after) || (THAT_WORK.test(after) && !isStatement(after) && !isCalendar(after)));
  // "older than a week is red"
  if (isAge && NAMED_BY_TIME.test(after)) return null;
  const isLimit = LIMIT.test(word) && isFullDate(time);
  if (FLAG.test(said.before)) return null;
  if (!isTold && isTopicTime(said, isLimit)) return isLimit ? asText(masked, start, time) : null;
  const isVague = time.lasts === true && !/^recent\s/i.test(time.text);
  if (isVague && PARTICIPLE.test(after) && !WE.test(before)) return null;
  if (!isDate && !isLimit && !isAtEdge(said, after) && !ofTime && !(isVague && WE.test(before))) return null;
  // On a Sunday, it may be the week that ends today.
  const isOver = LAST_WEEK.test(before + time.text.trim()) && new Date(now).getDay() !== 0;
  const range = rangeOf(time, now, isOver || /^(?:until|till)$/.test(word));
  if (range === null) return null;
  const limits = limitsOf(
    word,
    { ofEvent: intro?.[2] !== undefined, isRange: time.end !== null && fixed === undefined },
    range,
    now,
  );
  if (limits === null) return null;
  const { since, until } = limits;
  if (until !== null && new Date(until).getFullYear() < FIRST_YEAR) return null;
  const iso = (at: number) => new Date(at).toISOString();
  return {
    start: SESSIONS.exec(said.before)?.index ?? start,
    end: time.index + time.text.length + possessive,
    filter: setFields({
      since: since === null ? undefined : iso(since),
      until: until === null ? undefined : iso(until),
    }),
    understood: [
      ...(since === null ? [] : [shown('since', since, now)]),
      ...(until === null ? [] : [shown('until', until, now)]),
    ],
  };
}

/** A date and its preposition that are part of the topic. */
function asText(masked: string, start: number, { index, text }: TimeFound): Mention {
  const keep = masked.slice(start, index + text.length);
  return {
    start,
    end: index + text.length,
    keep,
    understood: [{ kind: 'text', value: keep, text: `"${keep}" as text; --since and --until are filters` }],
  };
}

/** "2026-06-01", "June 1, 2026", "1 June": after "before", it is the time of a session, wherever it stands. */
function isFullDate({ text, start, end, limits }: TimeFound): boolean {
  if (start.unit !== 'day' || end !== null || limits !== undefined) return false;
  return ISO_DATE.test(text) || (DAY_OF_MONTH.test(text) && !/\b(?:ago|back)$/i.test(text));
}

/** Whether a time needs no preposition: "yesterday", and at the end "late September" or "March 2026". */
function isBare({ text, start, limits }: TimeFound, after: string): boolean {
  if (BARE.test(text.trim())) return true;
  if (!AT_END.test(after)) return false;
  if (limits === 'calendar') return SEASON_OF_YEAR.test(text);
  return start.unit !== 'year' && start.namesMonth && start.namesYear;
}

/** Whether a query begins with a date or a season that is not part of the topic: "18 feb context tabs", "summer 2026 plans". */
function isDateFirst({ text, start, limits }: TimeFound, before: string, after: string): boolean {
  // "18 feb column", but not the tab of "18 feb context tab"
  const [next = ''] = /^\s+\S+/.exec(after) ?? [];
  if (/\w/.test(before) || !WORD_ENDS.test(after) || NAMED_BY_TIME.test(next) || isCalendar(after))
    return false;
  // "march 3 steps"
  if (/^march\s\d{1,2}$/i.test(text) && /s$/i.test(next)) return false;
  return limits === 'calendar'
    ? SEASON_OF_YEAR.test(text)
    : start.unit === 'day' &&
        limits === undefined &&
        DAY_OF_MONTH.test(text) &&
        !/^[\s,]*\p{L}{3,9}\.?\s\d/u.test(after);
}

/** Whether a time stands at the beginning or the end of the query, or before the topic of what is asked for. */
function isAtEdge({ before, word }: { before: string; word: string }, after: string): boolean {
  if (AT_END.test(after)) return true;
  if (!WORD_ENDS.test(after)) return false;
  // Words of asking before it are masked.
  const isAsked = before.includes(MASK) || mentionsPastWork(before) || ASKED.test(before);
  if (isAsked && TOPIC_FOLLOWS.test(after)) return true;
  const isBareFirst = word === '' && !/\w/.test(before);
  if (AGENT_FIRST.test(before) && /^\s*[,:]\s/.test(after)) return true;
  if (!AT_START.test(before)) return false;
  return !isBareFirst || isTelling(after) || !(NAMED_BY_TIME.test(after) || FIRST_PERSON.test(after));
}

/** Whether these words tell what was done at the time before them. */
function isTelling(after: string): boolean {
  const [told] = FIRST_PERSON.exec(after) ?? [''];
  return AFTER_START.test(after) || mentionsPastWork(told) || HAD.test(told);
}

function startOf(index: number, before: string, intro: RegExpExecArray | null): number {
  if (intro === null) return EARLIER.exec(before)?.index ?? index;
  return intro.index + (/^\p{L}/u.test(intro[0]) ? 0 : 1);
}

function shown(kind: 'since' | 'until', at: number, now: number): Mention['understood'][number] {
  return { kind, value: new Date(at).toISOString(), text: `${kind} ${dayText(at, now)}` };
}

/** Joins the two times of "between Oct 3 and Oct 10". */
function joinRanges(masked: string, found: TimeFound[]): TimeFound[] {
  const [first, second] = found;
  if (first === undefined || second === undefined || first.end !== null || second.end !== null) return found;
  const between = masked.slice(first.index + first.text.length, second.index);
  if (!/\bbetween\s+$/i.test(masked.slice(0, first.index)) || between.trim().toLowerCase() !== 'and')
    return found;
  const text = masked.slice(first.index, second.index + second.text.length);
  return [{ ...first, text, end: second.start }, ...found.slice(2)];
}

interface Range {
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
  if (word === 'until' || word === 'till') return { since: null, until: last };
  if (word === 'after') return { since: ofEvent || end === null ? start : end + 1, until: null };
  if (word === 'around')
    return { since: start - AROUND_MS, until: last + AROUND_MS >= now ? null : last + AROUND_MS };
  if (word === 'since' && !isRange) return { since: start, until: null };
  return { since: start, until: end === null || end >= now ? null : end };
}

const DAY_MS = 86_400_000;
/** "around 20 February": a week before and after. */
const AROUND_MS = 7 * DAY_MS;
const UNIT_DAYS: Record<string, number> = { hour: 1, day: 1, week: 7, month: 30, year: 365 };

/** The words of a time that has two. */
const FROM_TO = /^(\S.{0,60}?)\s{1,9}(?:and|to|till|until|through|-|–)\s{1,9}(.+)$/i;

/**
 * The period that the words mean; if in doubt, the longer one. Null if it lies in the future.
 * @param ends whether last week ends with its last day, as in "until last week"
 */
function rangeOf({ text, start, end, lasts, limits }: TimeFound, now: number, ends = false): Range | null {
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
  if (lasts === true) return { start: dayStart(start.date.getTime()), end: null };
  const words = text.trim().toLowerCase();
  const ago = /(hour|day|week|month|year)s?\s+(?:ago|back)$/.exec(words)?.[1];
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
    const [, which = '', unit = ''] = relative;
    const isOver = ends && which !== 'this' && unit !== 'night' && unit !== 'morning';
    return { start: unitBegin(which, unit, now), end: isOver ? unitBegin('this', unit, now) - 1 : null };
  }
  if (/^(?:last|past|previous)\b.*\b(?:minute|hour|day|week|month|quarter|year)s?$/.test(words)) {
    return { start: dayStart(start.date.getTime()), end: null };
  }
  const first = inPast(start, now);
  const last = end === null ? first : inPast(end, now);
  if (first === null || last === null) return null;
  return { start: unitStart(first, start.unit), end: unitEnd(last, (end ?? start).unit) };
}

/** Weeks begin on Monday. */
function unitBegin(which: string, unit: string, now: number): number {
  const day = new Date(dayStart(now));
  const back = which === 'this' ? 0 : 1;
  if (unit === 'night') day.setDate(day.getDate() - 1);
  if (unit === 'week') day.setDate(day.getDate() - ((day.getDay() + 6) % 7) - 7 * back);
  if (unit === 'month') day.setMonth(day.getMonth() - back, 1);
  if (unit === 'quarter') day.setMonth(3 * (Math.floor(day.getMonth() / 3) - back), 1);
  if (unit === 'year') day.setFullYear(day.getFullYear() - back, 0, 1);
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
function inPast({ date, unit, namesMonth, namesYear }: FoundDate, now: number): Date | null {
  const at = new Date(date);
  if (unitStart(at, unit) <= now) return at;
  if (namesYear) return null;
  if (namesMonth || Math.abs(at.getTime() - now) > 7 * DAY_MS) at.setFullYear(at.getFullYear() - 1);
  else at.setDate(at.getDate() - 7);
  return at;
}

function unitStart(at: Date, unit: FoundDate['unit']): number {
  if (unit === 'year') return new Date(at.getFullYear(), 0, 1).getTime();
  if (unit === 'month') return new Date(at.getFullYear(), at.getMonth(), 1).getTime();
  return dayStart(at.getTime());
}

function unitEnd(at: Date, unit: FoundDate['unit']): number {
  if (unit === 'year') return new Date(at.getFullYear() + 1, 0, 1).getTime() - 1;
  if (unit === 'month') return new Date(at.getFullYear(), at.getMonth() + 1, 1).getTime() - 1;
  return dayEnd(at.getTime());
}

function dayStart(time: number): number {
  return new Date(time).setHours(0, 0, 0, 0);
}

function dayEnd(time: number): number {
  return new Date(time).setHours(23, 59, 59, 999);
}
