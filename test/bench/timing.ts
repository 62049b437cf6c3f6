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

/** Milliseconds that `work` takes. */
export async function timed(work: () => unknown): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/**
 * Medians of two functions that run alternately, so that load on the machine affects both. The first round warms up
 * caches and does not count.
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
 * The p95 over items for each kind of work, with each item's best time of several rounds: costs differ between items, and load
 * differs between rounds.
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
