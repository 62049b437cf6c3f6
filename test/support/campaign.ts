/** `npm run test:slow` runs campaigns in full, and every command in its own process. */
export const isSlow = process.env.SMART_FORK_TEST_SLOW === '1';

/** The number of rounds in a campaign of kills, crashes or random input. */
export function rounds({ quick, slow }: { quick: number; slow: number }): number {
  return isSlow ? slow : quick;
}

/** One item for each number in a quick run, so that a few numbers come upon every item; all items in a slow one. */
export function oneOf<T>(items: readonly T[], at: number): T[] {
  return items.filter((_, index) => isSlow || index === at % items.length);
}

/** Every nth item in a quick run, all items in a slow one. */
export function everyNth<T>(n: number, items: readonly T[]): T[] {
  return items.filter((_, at) => isSlow || at % n === 0);
}
