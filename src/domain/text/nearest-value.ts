import { distance } from 'fastest-levenshtein';

/** The value that was probably meant: one that begins as typed, or has the fewest letters changed. Null if none is near. */
export function nearestValue(typed: string, values: readonly string[]): string | null {
  return nearestValues(typed, values)[0] ?? null;
}

/** All values that may have been meant, nearest first. */
export function nearestValues(typed: string, values: readonly string[]): string[] {
  const wanted = typed.trim().toLowerCase();
  if (wanted === '') return [];
  return values
    .map((value) => ({ value, changed: changesTo(wanted, value.toLowerCase()) }))
    .filter(({ changed }) => changed <= Math.max(1, Math.floor(wanted.length / 3)))
    .sort((a, b) => a.changed - b.changed)
    .map(({ value }) => value);
}

const SHORTEST_BEGINNING = 3;

function changesTo(typed: string, value: string): number {
  return typed.length >= SHORTEST_BEGINNING && value.startsWith(typed) ? 0 : distance(typed, value);
}

/** `. Did you mean claude?`, or nothing. */
export function didYouMean(typed: unknown, values: readonly string[]): string {
  const meant = typeof typed === 'string' ? nearestValue(typed, values) : null;
  return meant === null ? '' : `; did you mean ${meant}?`;
}
