/** Matching sessions that a search counts: it ranks no more of them by keyword. */
export const MOST_COUNTED = 100;

/** `3 of 18 sessions`: the others matched too. `5 of 100+ sessions`: so many that they are not counted. */
export function foundText(
  shown: number,
  matched: number | undefined,
  plural: (n: number, noun: string) => string,
): string {
  if (matched === undefined || matched <= shown) return plural(shown, 'session');
  return `${shown} of ${matched === MOST_COUNTED ? `${MOST_COUNTED}+ sessions` : plural(matched, 'session')}`;
}
