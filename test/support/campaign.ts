/** `npm run test:slow` runs campaigns in full, and every command in its own process. */
export const isSlow = process.env.SMART_FORK_TEST_SLOW === '1';

/** Number of rounds in a campaign of kills, crashes or random input. */
export function rounds({ quick, slow }: { quick: number; slow: number }): number {
  return isSlow ? slow : quick;
}

/** In a quick run, one item per number, so that consecutive numbers cover all items; in a slow run, all items. */
export function oneOf<T>(items: readonly T[], at: number): T[] {
  return items.filter((_, index) => isSlow || index === at % items.length);
}

/** Every nth item in a quick run; all items in a slow one. */
export function everyNth<T>(n: number, items: readonly T[]): T[] {
  return items.filter((_, at) => isSlow || at % n === 0);
}
