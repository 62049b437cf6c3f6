/** git prints at least seven digits. */
export const MIN_DIGITS = 7;

/** Whether two hashes, possibly abbreviated, can belong to the same commit. */
export function isSameCommit(one: string, other: string): boolean {
  return one.startsWith(other) || other.startsWith(one);
}

/** The digits that every abbreviation contains. */
export function commitStart(hash: string): string {
  return hash.slice(0, MIN_DIGITS);
}
