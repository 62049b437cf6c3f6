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
): Promise<void> {
  let batch: T[] = [];
  let bytes = 0;
  const inFlight = new Set<Promise<void>>();

  const flush = async (): Promise<void> => {
    const full = batch;
    batch = [];
    bytes = 0;
    // Throws if a request has failed, because those stay in the set.
    await Promise.race([...inFlight, null]);
    while (inFlight.size >= limits.requests) await Promise.race(inFlight);
    const request = send(full).then(() => {
      inFlight.delete(request);
    });
    request.catch(() => undefined);
    inFlight.add(request);
  };
  const add = async (item: T): Promise<void> => {
    const size = lengthOf(item);
    while (batch.length > 0 && (batch.length >= limits.points || bytes + size > limits.bytes)) await flush();
    batch.push(item);
    bytes += size;
  };

  try {
    if (Array.isArray(items)) for (const item of items) await add(item);
    else await items(add);
    if (batch.length > 0) await flush();
  } finally {
    await Promise.allSettled(inFlight);
  }
  await Promise.all(inFlight);
}

/** About the length of its JSON, with the names of fields. Writing JSON to measure it would take as long as sending it. */
function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 20;
  if (typeof value !== 'object' || value === null) return 12;
  return Object.values(value).reduce((sum: number, one) => sum + lengthOf(one), 0);
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
