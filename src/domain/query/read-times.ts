import { isStatement } from './is-statement.ts';
import { mentionsPastWork } from './mentions-past-work.ts';
import { AGENT } from './read-names.ts';
import { limitTime, type Range, rangeOf, readOnwards, SIDE, sideOf, type TimeFound } from './time-range.ts';
import { dealsWithTimes, isCalendar, isTopicTime } from './time-topics.ts';
import { MASK, type Mention } from './understanding.ts';

const PART = '(?:(?:beginning|start|middle|end)\\s+of\\s+(?:the\\s+)?|(?:early|mid|late)[\\s-]+)?';
const INTRO = new RegExp(
  `(?:^|[\\s\\0(,])(?:(${SIDE})\\s+(?:(?=(?:the|a|an|our|my|its|we|i|they)\\s)(?:(?:the|a|an|our|my|its)\\s+)?((?:[\\p{L}\\p{N}.-]+\\s+){1,5}?(?:in|on|of|from)\\s+))?|(?:(?:back|sometime|some\\s+time)\\s+)?(in|on|from|during|within|over|between|around)\\s+|(?<!\\b(?:by|for|the|to)\\s{1,9})(?:at\\s+)?(?=(?:the\\s+)?(?:beginning|start|middle|end)\\s+of\\b))(?:the\\s+)?${PART}$`,
  'iu',
);
/** All that may be between the beginning of a part of a query and a time that it consists of. */
export const LEAD = new RegExp(
  `^(?:(${SIDE}|(?:back\\s+)?(?:in|on|from|during|within|over|between|around|about|of|for|at))\\s+)?(?:the\\s+)?${PART}$`,
  'i',
);
/** A time without a preposition, of a session rather than of a topic. */
const BARE =
  /^(?:yesterday\b.*|today|tonight|(?:today|this)\s+(?:morning|afternoon|evening|night)|(?:last|past|this|previous|recent)\b.*|.* (?:ago|back)|recently|lately|these days|the other day|(?:the\s+)?(?:(?:first|second|third|fourth|last)\s+)?(?:week|half)\s+of\b.*|(?:the\s+)?\w+\s+before\s+(?:last|yesterday)|(?:calendar\s+|iso\s+)?(?:week|kw|cw)\s*\d.*|(?:early|mid|late)[\s-](?!may\b).*)$/i;
/** After a time at the beginning, these make it part of the topic: "last 7 days filter", "today view shows the wrong day". */
const NAMED_BY_TIME =
  /^\s+(?:(?:and|but one|of|or|vs\.?|is|are|was|were|should|does|shows?|charts?|dates?|options?|totals?|usage|costs?|stats|statistics|summary|data|tables?|range|formats?|rows?|fields?|badges?|sections?|entries|items?|values?|links?|toggles?|headers?|cards?|reports?|pages?)\b|(?:\S+\s+)?(?:views?|tabs?|buttons?|columns?|labels?|filters?|presets?|graphs?|pickers?|widgets?)\b)/i;
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
  /^(?!(?:last|past|previous|this)\b)(?:(?:\d{1,2}(?:st|nd|rd|th)?\s?(?:-|–|and|to)\s?)?\d{1,2}(?:st|nd|rd|th)?\s(?:of\s)?(?!may\b)\p{L}{3,9}\b|\d{1,2}(?:st|nd|rd|th)\s(?:of\s)?may\b|(?!may\b)\p{L}{3,9}\.?\s\d|may\s\d{1,2}(?:st|nd|rd|th)\b)/iu;
/** Versions are called by dates. */
const LIKE_VERSION = /^20\d\d-|\./;
const VERSIONED =
  /^\s+(?:\S+\s+){0,2}(?:api|build|changelog|migration|model|protocol|release|revision|schema|snapshot|spec(?:ification)?|tag|version)s?\b/i;
const DATE =
  /^(?:(?:20\d\d[-/]\d\d[-/]\d\d|\d{1,2}[./-]\d{1,2}[./-]20\d\d)(?:\s?(?:-|–|to|until|through)\s?(?=\d)|$)){1,2}$/;
/** "17/02/2026 is parsed as invalid", "Feb 17 format" */
const NAMED_BY_DATE =
  /^\s+(?:and|or|vs\.?|is|are|was|were|should|does|has|shows?|dates?|format(?:s|ted)?|options?|ranges?|presets?|parse[ds]?|render(?:s|ed)?)\b/i;
/** After a noun that is no part of a longer one. */
const HEAD_ENDS = /^\s*(?:$|[,.;:?!)]|(?:and|are|at|for|from|in|is|not|of|off|on|or|was|with)\b)/i;
export const LIMITS = new Set(['after', 'before', 'since', 'until']);
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
  `^[\\s\\0]*(?:(?:list|show|find|give)\\s+(?:me\\s+)?)?(?:(?:a|all|any|my|our|that|the)\\s+)*(?:(?:${AGENT}\\s+)?(?:sessions?|conversations?|chats?)|anything|everything|something|stuff|what\\s+do\\s+we\\s+have)\\s+$`,
  'i',
);
const AFTER_START = /^\s*(?:i|we)['’]ve\b/i;
/** "last week we decided", but "today i see wrong totals". */
const FIRST_PERSON = /^\s*(?:i|we)\b(?:\s+\S+){0,3}/i;
const HAD = /\b(?:i|we)\s+had\b/i;
const WORD_ENDS = /^(?:[,.;:!?)]*(?:\s|\0|$))/;
const AT_END = /^\s*(?:[,.;:!?)]+\s*)?(?:$|\0)/;
/** Flags make a query a command line: "git log --since yesterday". */
const FLAG = /(?:^|\s)--?\p{L}[\p{L}-]*\s+$/u;

/** Times at the beginning or the end of a query: "last week", "in October", "before the release in March". */
export function readTimes(masked: string, found: TimeFound[], now: number): Mention[] {
  const mentions: Mention[] = [];
  let open = masked;
  for (const time of found.toReversed()) {
    const mention = timeMention(open, time, now);
    if (mention === null || isListed(masked, time, found)) continue;
    mentions.push(mention);
    open = `${open.slice(0, mention.start)}\0${open.slice(mention.end)}`;
  }
  return mentions.toReversed();
}

/** "Jan 5, Feb 20", "in June or in July" */
function isListed(text: string, { index, text: words }: TimeFound, found: TimeFound[]): boolean {
  const between = (one: TimeFound) =>
    one.index < index
      ? text.slice(one.index + one.text.length, index)
      : text.slice(index + words.length, one.index);
  return found.some(
    (one) => one.index !== index && /^\s*(?:,|and|or|vs\.?)\s*(?:(?:during|in|on)\s+)?$/i.test(between(one)),
  );
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
  const isAge = fixed === 'before' || fixed === 'since';
  const intro = isAge ? null : INTRO.exec(before);
  const onwards = readOnwards(behind);
  const after = behind.slice(possessive + onwards.length);
  const preposition = intro?.[1] ?? intro?.[3] ?? (intro === null ? '' : 'in');
  const word = isAge ? fixed : (onwards.side ?? sideOf(preposition));
  const ofTime = possessive > 0 || (time.start.namesMonth && OF_SESSIONS.test(behind));
  const isFirst = word === '' && isBareFirst(time, before, after);
  if (word === '' && !ofTime && !isFirst && !isBare(time, after)) return null;
  // "last summer sale"
  if (word === '' && fixed === 'calendar' && isCalendar(after)) return null;
  const start = startOf(time.index, before, intro);
  const isYear = time.start.unit === 'year';
  const isDate = isExactDate(time);
  const words = { before: masked.slice(0, start), word, text: time.text, isYear, isDate, limits: fixed };
  // "on Monday we renamed a file" is past work, too.
  const isTold =
    !/\w/.test(words.before) &&
    (isTelling(after) || (THAT_WORK.test(after) && !isStatement(after) && !isCalendar(after)));
  // "older than a week is red"
  if (isAge && NAMED_BY_TIME.test(after)) return null;
  const isLimit = LIMITS.has(word) && isFullDate(time);
  if (FLAG.test(words.before)) return null;
  if (!isTold && isTopicTime(words, isLimit)) return isLimit ? asText(masked, start, time) : null;
  const isVague = time.lasts === true && !/^recent\s/i.test(time.text);
  if (isVague && PARTICIPLE.test(after) && !WE.test(before)) return null;
  if (!isFirst && !isLimit && !isAtEdge(words, after) && !ofTime && !(isVague && WE.test(before)))
    return null;
  const limits = limitTime(
    time,
    { word, isLast: !/\bthe\s$/i.test(before), ofEvent: intro?.[2] !== undefined },
    now,
  );
  if (limits === null) return null;
  return {
    start: SESSIONS.exec(words.before)?.index ?? start,
    end: masked.length - after.length,
    ...limits,
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
function isFullDate(time: TimeFound): boolean {
  return time.end === null && isExactDate(time);
}

/** "17 Feb", "22-24 Feb", "17/02/2026" */
function isExactDate({ text, start, limits }: TimeFound): boolean {
  if (start.unit !== 'day' || limits !== undefined || BARE.test(text.trim())) return false;
  return DAY_OF_MONTH.test(text) || DATE.test(text);
}

/** "March 2026", "Q1 2026", "summer 2026" */
function isPeriodOfYear({ text, start, end, limits }: TimeFound): boolean {
  if (limits === 'calendar') return /20\d\d/.test(text);
  return limits === undefined && start.unit === 'month' && (start.namesYear || end?.namesMonth === true);
}

/** Whether a time that a comma or the like sets off says by itself that it is one of sessions: not "Q3" or "spring". */
export function isPlain({ text, start, limits }: TimeFound): boolean {
  if (limits === 'calendar') return /20\d\d|^(?:last|past|previous|this)\b/i.test(text);
  return start.unit !== 'hour' || BARE.test(text);
}

/** "recently", "last week", unlike "Feb 20" */
export function isRelative({ text, limits }: TimeFound): boolean {
  return limits === undefined && BARE.test(text.trim());
}

/** Whether a time at the end needs no preposition, or anywhere: "yesterday". */
function isBare(time: TimeFound, after: string): boolean {
  if (BARE.test(time.text.trim())) return true;
  return AT_END.test(after) && (isExactDate(time) || isPeriodOfYear(time));
}

/** Whether a query begins with a date or a period that is not part of the topic: "18 feb context tabs", "Q1 2026 plans". */
function isBareFirst(time: TimeFound, before: string, after: string): boolean {
  if (/\w/.test(before) || !WORD_ENDS.test(after) || dealsWithTimes(after)) return false;
  const [next = ''] = /^\s+\S+/.exec(after) ?? [];
  if (!isPeriodOfYear(time) && !isExactDate(time)) return false;
  if (isTelling(after)) return true;
  if (isPeriodOfYear(time) && isCalendar(after)) return false;
  if (isStatement(next) || isNamedByDate(after)) return false;
  if (LIKE_VERSION.test(time.text) && VERSIONED.test(after)) return false;
  if (/^march\s\d{1,2}$/i.test(time.text) && /s$/i.test(next)) return false;
  return !/^[\s,]*\p{L}{3,9}\.?\s\d/u.test(after);
}

/** "18 feb column is empty", "Q1 2026 totals", but neither "18 feb tab counters" nor the tab of "18 feb context tab" */
function isNamedByDate(after: string): boolean {
  if (NAMED_BY_DATE.test(after)) return true;
  const [, rest] = /^\s+\S+(.*)$/s.exec(after) ?? [];
  const [first = ''] = /^\s+\S+/.exec(after) ?? [];
  return NAMED_BY_TIME.test(first) && (isStatement(after) || HEAD_ENDS.test(rest ?? ''));
}

/** Whether a time stands at the beginning or the end of the query, or before the topic of what is asked for. */
function isAtEdge(
  { before, word, text }: { before: string; word: string; text: string },
  after: string,
): boolean {
  if (AT_END.test(after)) return true;
  if (!WORD_ENDS.test(after)) return false;
  // Words of asking before it are masked.
  const isAsked = before.includes(MASK) || mentionsPastWork(before) || ASKED.test(before);
  if (isAsked && TOPIC_FOLLOWS.test(after)) return true;
  const isBareFirst = word === '' && !/\w/.test(before);
  if (!AT_START.test(before)) return false;
  if (!isBareFirst || isTelling(after)) return true;
  if (FIRST_PERSON.test(after)) return false;
  // "last friday badge colours", unlike "this month badge colours"
  return !(LAST_DAY.test(text) ? isNamedByDate(after) : NAMED_BY_TIME.test(after));
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
