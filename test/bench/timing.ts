import { quantile } from '../eval/metrics.ts';

export function median(values: number[]): number {
  return percentile(values, 0.5);
}

export function percentile(values: number[], share: number): number {
  return quantile(
    values.toSorted((a, b) => a - b),
    share,
  );
}

/** Milliseconds that something takes. */
export async function timed(work: () => unknown): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/**
 * Medians of two things that are run in turns, so that a busy spell of the machine falls on both. The first turn warms
 * up disks and caches and doesn't count.
 */
export async function alternate(
  turns: number,
  subject: () => Promise<number>,
  floor: () => Promise<number>,
): Promise<{ subject: number; floor: number }> {
  const times: { subject: number[]; floor: number[] } = { subject: [], floor: [] };
  for (let turn = 0; turn <= turns; turn += 1) {
    const floorMs = await floor();
    const subjectMs = await subject();
    if (turn === 0) continue;
    times.floor.push(floorMs);
    times.subject.push(subjectMs);
  }
  return { subject: median(times.subject), floor: median(times.floor) };
}

/**
 * For each of several kinds of work the time that 95 of 100 items need at most, each item's being its best of several
 * rounds: what an item costs differs from item to item, what the machine is busy with differs from round to round.
 */
export async function slowestOf<T, K extends string>(
  items: T[],
  rounds: number,
  works: Record<K, (item: T) => Promise<unknown>>,
): Promise<Record<K, number>> {
  const kinds = Object.entries(works) as [K, (item: T) => Promise<unknown>][];
  const best = kinds.map(() => items.map(() => Number.POSITIVE_INFINITY));
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, item] of items.entries()) {
      for (const [kind, [, work]] of kinds.entries()) {
        const times = best[kind] ?? [];
        times[index] = Math.min(times[index] ?? 0, await timed(() => work(item)));
      }
    }
  }
  const slowest = kinds.map(([kind], at) => [kind, percentile(best[at] ?? [], 0.95)]);
  return Object.fromEntries(slowest) as Record<K, number>;
}
