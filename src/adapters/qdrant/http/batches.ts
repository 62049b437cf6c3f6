import type { BatchLimits } from '../options.ts';

/** Cuts a list where a batch would get too long or too big. An item that is too big goes alone. */
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
