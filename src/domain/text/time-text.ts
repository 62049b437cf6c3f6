const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A relative time: "3 hours ago", "yesterday", "2 weeks ago", "Jan 15", "Jan 15, 2024", in local time. */
export function timeAgo(iso: string | null, nowMs: number): string {
  const then = parse(iso);
  if (!then) return 'date unknown';
  const age = nowMs - then.getTime();
  if (age < -DAY) return `${date(then, nowMs)}${FUTURE}`;
  if (age < MINUTE) return 'just now';
  if (age < HOUR) return `${plural(Math.floor(age / MINUTE), 'minute')} ago`;
  const days = calendarDays(then, new Date(nowMs));
  if (age < DAY && (days === 0 || age < 12 * HOUR)) return `${plural(Math.floor(age / HOUR), 'hour')} ago`;
  if (days === 1) return 'yesterday';
  if (days < 7) return `${days} days ago`;
  if (days <= 28) return `${plural(Math.floor(days / 7), 'week')} ago`;
  return date(then, nowMs);
}

/** Of a session from a machine with a wrong clock. */
const FUTURE = ', in the future';

/** "Jan 15, 2026 14:22" in local time. */
export function dateTime(iso: string | null): string {
  const then = parse(iso);
  return then ? `${monthDay(then)}, ${then.getFullYear()} ${clock(iso)}` : 'date unknown';
}

/** "Jan 15, 2026 14:22 (2 weeks ago)"; without the age if it would only repeat the date. */
export function dateAndAge(iso: string | null, nowMs: number): string {
  const [when, age] = [dateTime(iso), ageBeside(iso, nowMs)];
  return age === '' ? when : `${when} (${age})`;
}

/** The age of a time whose date is printed: "2 weeks ago", "in the future", or empty if it would only repeat the date. */
export function ageBeside(iso: string | null, nowMs: number): string {
  const ago = timeAgo(iso, nowMs);
  if (ago.endsWith(FUTURE)) return FUTURE.slice(2);
  return dateTime(iso).startsWith(ago) ? '' : ago;
}

/** "Jan 15", with the year unless it is the current one, in local time. */
export function dayText(time: number, nowMs: number): string {
  return date(new Date(time), nowMs);
}

/** "14:22" in local time; empty if unknown. */
export function clock(iso: string | null): string {
  const then = parse(iso);
  return then ? `${two(then.getHours())}:${two(then.getMinutes())}` : '';
}

/** The day on this machine's calendar, as 2026-11-22; empty if unknown. */
export function localDate(iso: string | null): string {
  const then = parse(iso);
  return then ? `${then.getFullYear()}-${two(then.getMonth() + 1)}-${two(then.getDate())}` : '';
}

/** "42 ms", "8 s", "2 min 5 s", "1 h 3 min", "3 days". */
export function duration(ms: number): string {
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 9950) return `${(ms / 1000).toFixed(1).replace('.0', '')} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return twoUnits(Math.floor(seconds / 60), 'min', seconds % 60, 's');
  const minutes = Math.round(ms / 60_000);
  if (minutes < 48 * 60) return twoUnits(Math.floor(minutes / 60), 'h', minutes % 60, 'min');
  return plural(Math.round(minutes / 60 / 24), 'day');
}

/** "980 B", "12.3 MB": powers of 1000. */
export function bytes(n: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = n;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${unit === 0 || value >= 99.95 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}

/** "15,847". */
export function count(n: number): string {
  return String(Math.round(n)).replace(/\B(?=(?:\d{3}){1,9}$)/g, ',');
}

/** "1 session", "342 sessions". */
export function plural(n: number, noun: string, nouns = `${noun}s`): string {
  return `${count(n)} ${n === 1 ? noun : nouns}`;
}

/** Normalizes a time to `2026-05-01T09:00:00.000Z`, so that times sort as strings. Leaves other text unchanged. */
export function isoTime(text: string): string {
  const time = Date.parse(text);
  return Number.isNaN(time) ? text : new Date(time).toISOString();
}

/** "12 messages"; empty if they were not counted. */
export function messagesText(session: { message_count: number; outcome: string }): string {
  const isUnknown = session.message_count === 0 && session.outcome !== 'empty';
  return isUnknown ? '' : plural(session.message_count, 'message');
}

function parse(iso: string | null): Date | null {
  const time = iso === null ? Number.NaN : Date.parse(iso);
  return Number.isNaN(time) ? null : new Date(time);
}

function date(then: Date, nowMs: number): string {
  const year = then.getFullYear();
  return year === new Date(nowMs).getFullYear() ? monthDay(then) : `${monthDay(then)}, ${year}`;
}

function monthDay(then: Date): string {
  return `${MONTHS[then.getMonth()]} ${then.getDate()}`;
}

/** Number of midnights between two times, counted in UTC so that daylight saving does not lose one. */
function calendarDays(from: Date, to: Date): number {
  const day = (of: Date) => Date.UTC(of.getFullYear(), of.getMonth(), of.getDate());
  return Math.round((day(to) - day(from)) / DAY);
}

function two(n: number): string {
  return String(n).padStart(2, '0');
}

function twoUnits(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}
