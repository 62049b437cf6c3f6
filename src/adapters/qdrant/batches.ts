import type { BatchLimits } from './options.ts';

/** Cuts a list where a batch would get too long or too big; an item that is too big by itself goes alone. */
export function batchesOf<T>(items: T[], sizeOf: (item: T) => number, limits: BatchLimits): T[][] {
  const batches: T[][] = [];
  let batch: T[] = [];
  let bytes = 0;
  for (const item of items) {
    const size = sizeOf(item);
    if (batch.length > 0 && (batch.length >= limits.points || bytes + size > limits.bytes)) {
      batches.push(batch);
      batch = [];
      bytes = 0;
    }
    batch.push(item);
    bytes += size;
  }
  if (batch.length > 0) batches.push(batch);
  return batches;
}

/** Runs `work` for every item, a few at a time; the first failure ends it once those under way are done. */
export async function forEachParallel<T>(
  items: T[],
  most: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = items.values();
  let failed = false;
  const lane = async () => {
    for (const item of waiting) {
      if (failed) return;
      try {
        await work(item);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const lanes = await Promise.allSettled(Array.from({ length: Math.min(most, items.length) }, lane));
  for (const one of lanes) if (one.status === 'rejected') throw one.reason;
}
