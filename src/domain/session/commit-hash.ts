/** git prints at least seven digits. */
const SHORTEST = 7;

/** Whether two hashes, of which either may be abbreviated, can be the same commit's. */
export function isSameCommit(one: string, other: string): boolean {
  return one.startsWith(other) || other.startsWith(one);
}

/** The beginning that every abbreviation has. */
export function commitStart(hash: string): string {
  return hash.slice(0, SHORTEST);
}
