import type { BatchLimits } from '../options.ts';
import type { UpdateOperation } from '../types.ts';
import type { Connection } from './connection.ts';
import { isMissingPoint } from './errors.ts';

/** A list, or what adds items as they become ready. */
type Items<T> = T[] | ((add: (item: T) => Promise<void>) => Promise<void>);

/**
 * Sends the items in as few requests as possible, each as soon as it is full. An oversized item gets a request of its own. `add`
 * waits while too many requests are in flight, and throws after a failed one.
 */
export async function sendInBatches<T>(
  limits: BatchLimits,
  items: Items<T>,
  send: (batch: T[]) => Promise<void>,
  sizeOf: (item: T) => number = (item) => JSON.stringify(item).length,
): Promise<void> {
  let batch: T[] = [];
  let bytes = 0;
  let failure: { error: unknown } | null = null;
  const inFlight = new Set<Promise<void>>();

  const flush = async (): Promise<void> => {
    const full = batch;
    batch = [];
    bytes = 0;
    while (inFlight.size >= limits.requests) await Promise.race(inFlight);
    if (failure !== null) throw failure.error;
    const request = send(full)
      .catch((error: unknown) => {
        failure ??= { error };
      })
      .finally(() => inFlight.delete(request));
    inFlight.add(request);
  };
  const add = async (item: T): Promise<void> => {
    const size = sizeOf(item);
    while (batch.length > 0 && (batch.length >= limits.points || bytes + size > limits.bytes)) await flush();
    batch.push(item);
    bytes += size;
  };

  try {
    if (Array.isArray(items)) for (const item of items) await add(item);
    else await items(add);
    if (batch.length > 0) await flush();
  } finally {
    await Promise.all(inFlight);
  }
  if (failure !== null) throw (failure as { error: unknown }).error;
}

/** The same for operations: those of one item are sent in one request, in order. */
export function updateInBatches(
  connection: Connection,
  limits: BatchLimits,
  items: Items<UpdateOperation[]>,
): Promise<void> {
  return sendInBatches(limits, items, async (batch) => {
    try {
      await connection.update(batch.flat());
    } catch (error) {
      // A point deleted by another machine ends the request; the caller finds the conflict.
      if (!isMissingPoint(error)) throw error;
    }
  });
}
