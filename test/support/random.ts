export type Random = (below: number) => number;

/** Integers from 0 to below `below`, the same in every run (mulberry32). */
export function seededRandom(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

export function pick<T>(random: Random, values: readonly T[]): T {
  const value = values[random(values.length)];
  if (value === undefined) throw new Error('nothing to pick from');
  return value;
}

/** A copy of a JSON value in which one part is another: a leaf, or with a chance of one in `chance` something that contains it. */
export function replacePart(
  value: unknown,
  random: Random,
  chance: number,
  another: (old: unknown) => unknown,
): unknown {
  if (typeof value !== 'object' || value === null || random(chance) === 0) return another(value);
  const keys = Object.keys(value);
  const chosen = keys[random(Math.max(1, keys.length))];
  const entries = Object.entries(value).map(([key, part]) => [
    key,
    key === chosen ? replacePart(part, random, chance, another) : part,
  ]);
  return Array.isArray(value) ? entries.map(([, part]) => part) : Object.fromEntries(entries);
}
