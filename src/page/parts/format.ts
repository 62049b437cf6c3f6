import { clock, duration, localDate } from '../../domain/text/time-text.ts';
import { AGENT_NAMES } from './agent-names.ts';

/** Formats numbers, times and names for the page. */

const NUMBER = new Intl.NumberFormat('en');
const SHORT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const DAY = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric' });
const DAY_AND_YEAR = new Intl.DateTimeFormat('en', { month: 'short', day: 'numeric', year: 'numeric' });
const WEEKDAY = new Intl.DateTimeFormat('en', {
  weekday: 'long',
  month: 'long',
  day: 'numeric',
  year: 'numeric',
});

export function count(value: number, noun = '', plural = `${noun}s`): string {
  return noun === '' ? NUMBER.format(value) : `${NUMBER.format(value)} ${value === 1 ? noun : plural}`;
}

export function shortNumber(value: number): string {
  return SHORT.format(value);
}

/** "Oct 20", with the year unless it is the current one. */
export function day(time: string | null): string {
  if (time === null) return 'no date';
  const date = new Date(time);
  return (date.getFullYear() === new Date().getFullYear() ? DAY : DAY_AND_YEAR).format(date);
}

export function weekday(date: string): string {
  return WEEKDAY.format(new Date(`${date.slice(0, 10)}T12:00:00`));
}

export function dayAndClock(time: string | null): string {
  return time === null ? '' : `${day(time)}, ${clock(time)}`;
}

/** "Oct 20, 09:15–10:40"; over several days "Oct 20, 09:15 – Oct 21, 10:40". */
export function period(start: string | null, end: string | null): string {
  if (start === null || end === null) return dayAndClock(end ?? start);
  if (localDate(start) !== localDate(end)) return `${dayAndClock(start)} – ${dayAndClock(end)}`;
  return clock(start) === clock(end) ? dayAndClock(end) : `${dayAndClock(start)}–${clock(end)}`;
}

/** "2 h 42 min", "3 days", as on the command line; empty below a minute. */
export function took(start: string | null, end: string | null): string {
  const lasted = start === null || end === null ? 0 : Date.parse(end) - Date.parse(start);
  return lasted < 60_000 ? '' : duration(lasted);
}

export function agentName(agent: string): string {
  return Object.entries(AGENT_NAMES).find(([one]) => one === agent)?.[1] ?? agent;
}
