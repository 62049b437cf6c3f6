import type { BatchLimits } from '../options.ts';
import type { UpdateOperation } from '../types.ts';
import type { Connection } from './connection.ts';
import { isMissingPoint } from './errors.ts';
import { toJson } from './transport.ts';

/**
 * Sends what `work` adds in as few requests as it fits into, those that are full meanwhile. Operations that are added
 * together go in one request, in their order. `add` waits while too many requests are under way; when one of them has failed, it throws.
 */
export async function sendInBatches(
  connection: Connection,
  limits: BatchLimits,
  work: (add: (operations: UpdateOperation[]) => Promise<void>) => Promise<void>,
): Promise<void> {
  let batch: string[] = [];
  let bytes = 0;
  let failure: { error: unknown } | null = null;
  const underWay = new Set<Promise<void>>();

  const send = async (): Promise<void> => {
    const full = batch;
    batch = [];
    bytes = 0;
    while (underWay.size >= limits.requests) await Promise.race(underWay);
    if (failure !== null) throw failure.error;
    const request = update(connection, full)
      .catch((error: unknown) => {
        failure ??= { error };
      })
      .finally(() => underWay.delete(request));
    underWay.add(request);
  };

  try {
    await work(async (operations) => {
      const json = operations.map(toJson).join(',');
      while (batch.length > 0 && (batch.length >= limits.points || bytes + json.length > limits.bytes))
        await send();
      batch.push(json);
      bytes += json.length;
    });
    if (batch.length > 0) await send();
  } finally {
    await Promise.all(underWay);
  }
  if (failure !== null) throw (failure as { error: unknown }).error;
}

/** What another machine deleted meanwhile ends the request; it shows as a conflict. */
async function update(connection: Connection, operations: string[]): Promise<void> {
  try {
    await connection.apply(operations);
  } catch (error) {
    if (!isMissingPoint(error)) throw error;
  }
}
