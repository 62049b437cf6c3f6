/** `npm run test:slow` runs campaigns in full, and every command in a process of its own. */
export const isSlow = process.env.SMART_FORK_TEST_SLOW === '1';

/** How often a campaign of kills, crashes or random input does its work. */
export function rounds({ quick, slow }: { quick: number; slow: number }): number {
  return isSlow ? slow : quick;
}

/** Every nth item in a quick run, all of them in a slow one. */
export function everyNth<T>(n: number, items: readonly T[]): T[] {
  return items.filter((_, at) => isSlow || at % n === 0);
}
