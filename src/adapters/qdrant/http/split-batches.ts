import type { BatchLimits } from '../options.ts';

/** Splits a list into batches within the limits. An oversized item gets a batch of its own. */
export function splitBatches<T>(
  items: T[],
  limits: BatchLimits,
  sizeOf: (item: T) => number = sizeOfJson,
): T[][] {
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

export function sizeOfJson(value: unknown): number {
  return JSON.stringify(value).length;
}
