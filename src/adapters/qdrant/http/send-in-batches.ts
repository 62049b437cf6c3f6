import type { BatchLimits } from '../options.ts';
import type { UpdateOperation } from '../types.ts';
import type { Connection } from './connection.ts';
import { isMissingPoint } from './errors.ts';
import { sizeOfJson } from './split-batches.ts';

/**
 * Sends the operations that `work` adds in as few requests as possible, each as soon as it is full. Operations added together are sent
 * in one request, in order. `add` waits while too many requests are in flight, and throws after a failed one.
 */
export async function sendInBatches(
  connection: Connection,
  limits: BatchLimits,
  work: (add: (operations: UpdateOperation[]) => Promise<void>) => Promise<void>,
): Promise<void> {
  let batch: UpdateOperation[][] = [];
  let bytes = 0;
  let failure: { error: unknown } | null = null;
  const inFlight = new Set<Promise<void>>();

  const send = async (): Promise<void> => {
    const full = batch;
    batch = [];
    bytes = 0;
    while (inFlight.size >= limits.requests) await Promise.race(inFlight);
    if (failure !== null) throw failure.error;
    const request = update(connection, full.flat())
      .catch((error: unknown) => {
        failure ??= { error };
      })
      .finally(() => inFlight.delete(request));
    inFlight.add(request);
  };

  try {
    await work(async (operations) => {
      const size = sizeOfJson(operations);
      while (batch.length > 0 && (batch.length >= limits.points || bytes + size > limits.bytes)) await send();
      batch.push(operations);
      bytes += size;
    });
    if (batch.length > 0) await send();
  } finally {
    await Promise.all(inFlight);
  }
  if (failure !== null) throw (failure as { error: unknown }).error;
}

/** A point deleted by another machine ends the request; the caller finds the conflict. */
async function update(connection: Connection, operations: UpdateOperation[]): Promise<void> {
  try {
    await connection.update(operations);
  } catch (error) {
    if (!isMissingPoint(error)) throw error;
  }
}
