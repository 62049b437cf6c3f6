import { count, plural } from './time-text.ts';

/** Matching sessions that a search counts: it ranks no more of them by keyword. */
export const MOST_COUNTED = 100;

/** `3 of 18 sessions`: the others matched too. `5 of 100+ sessions`: so many that they are not counted. */
export function foundText(shown: number, matched = 0): string {
  if (matched <= shown) return plural(shown, 'session');
  const all = matched === MOST_COUNTED ? `${MOST_COUNTED}+ sessions` : plural(matched, 'session');
  return `${count(shown)} of ${all}`;
}
