import { isStatement } from './is-statement.ts';
import { mentionsPastWork } from './mentions-past-work.ts';

/** The text before a time, and the time's own words. */
interface TimeInWords {
  before: string;
  /** The preposition, in lower case; empty without one. */
  word: string;
  text: string;
  isYear: boolean;
  /** "17 Feb", "17/02/2026" */
  isDate: boolean;
  limits?: 'before' | 'since' | 'calendar' | 'week';
}

/**
 * Whether a time is part of the topic, as in "expire tokens after 2 weeks", and not the time of a session.
 * @param isFullDate whether it is a date after "before", "since" and so on: few queries are about such a date.
 */
export function isTopicTime(
  { before, word, text, isYear, isDate, limits }: TimeInWords,
  isFullDate = false,
): boolean {
  if (limits === 'before' || limits === 'since') {
    const isDone = /\bago$/i.test(text) && mentionsPastWork(before);
    return CLEANED.test(before) || (/\w/.test(before) && !SESSIONS.test(before) && !isDone);
  }
  if (mentionsPastWork(before)) return false;
  if (limits === 'calendar' && (COUNTED.test(before) || SOLD.test(before))) return true;
  if (
    word === '' &&
    isDate &&
    (dealsWithTimes(before) || isStatement(before) || (/^20|\./.test(text) && VERSION.test(before)))
  )
    return true;
  if (word === '')
    return (
      BEFORE_BARE.test(before) ||
      /^\W*\w+\s*[:=]\s*$/.test(before) ||
      (/^(?:this|today)\b/i.test(text) && COUNTED.test(before))
    );
  if (word === 'on' && WEEKDAY.test(text)) return !SESSIONS.test(before);
  if (CALENDAR.test(before) || QUANTITY.test(before)) return true;
  if (isFullDate) return false;
  const isSpan = word === 'over' || word === 'within' || /^(?:last|past|previous)\b/i.test(text);
  if (isSpan && word !== 'from' && word !== 'since') return COUNTED.test(before) || ACTS.test(before);
  if (LIMITS.has(word)) return ACTS.test(before) || CHANGES.test(before);
  return isYear && ACTS.test(before);
}

/** "filter by last week", "a label like 2 hours ago". */
const BEFORE_BARE =
  /(?:^|[\s\0])(?:a|an|and|as|by|called|default|display|for|format|is|label(?:l?ed)?|like|named|of|or|pars(?:e|ing)|per|preset|reads?|says?|select|show|shows|than|the|to|vs\.?|with)\s*$/i;

/** Versions are called by dates. */
const VERSION =
  /\b(?:api|build|migration|model|protocol|release|revision|schema|snapshot|spec(?:ification)?|tag|version)s?\s+$/i;

/** Jobs and quotas run on Mondays; sessions were "last Monday" or "since Monday". */
const WEEKDAY = /day$/i;

/** Other things have ages, too: "files older than a month". */
const SESSIONS = /\b(?:sessions?|conversations?|chats?|discussions?|threads?|work|talks?)\s*$/i;

/** Programs remove what is "older than two weeks", or keep it. */
const CLEANED =
  /\b(?:archiv|clean|delet|drop|evict|exclud|expir|forget|hid|ignor|keep|kept|kill|prun|purg|remov|rotat|show only|skip|trim)\w*\b/i;

/** What companies count by seasons and quarters. */
const SOLD =
  /\b(?:budgets?|daylight|earnings|forecasts?|goals?|okrs?|orders?|campaigns?|collections?|discounts?|promos?|promotions?|revenues?|sales?|targets?|themes?)\b/i;

/** Programs that deal with times. */
const CALENDAR =
  /\b(?:birthdays?|calendars?|cron\w*|dates?|deadlines?|(?:date-?)?pickers?|due|holidays?|epoch|expir\w*|leap (?:days?|years?)|newer|older|quotas?|relative times?|reminders?|retention|schedul\w*|timestamps?|time ?zones?|ttl)\b/i;

/** Whether words are about programs that deal with times. */
export function dealsWithTimes(words: string): boolean {
  return CALENDAR.test(words);
}

/** The same, or about what is sold by seasons. */
export function isCalendar(words: string): boolean {
  return CALENDAR.test(words) || SOLD.test(words);
}

/** "5 requests" in the last minute. */
const QUANTITY = /\b\d+\s+[a-z]+\s+$/i;

/** Programs that add up over a time. */
const COUNTED =
  /\b(?:average|charts?|costs?|count\w*|graphs?|histograms?|limit of|metrics|requests|spend\w*|statistics|stats|sums?|totals?|trends?|usage)\b/i;

const LIMITS = new Set(['after', 'before', 'between', 'from', 'since', 'until']);

/** What programs do with data from a period: "delete logs from last month". A search may begin with "show me sessions". */
const ACTS =
  /^[\s\0]*(?:please\s+)?(?:(?:archive|backfill|clean|clear|count|delete|drop|evict|expire|export|hide|import|keep|load|prune|pull|purge|query|remove|rotate|select|sort|sync)|(?:display|fetch|filter|get|group|list|show)(?!\s+(?:me\s+)?(?:(?:all|my|our|the)\s+)*(?:sessions?|conversations?|chats?|everything|what)\b))\b/i;

/** "the commits since yesterday" */
const CHANGES = /\b(?:changes|commits?|diff|files|git log|logs?)\s+$/i;
