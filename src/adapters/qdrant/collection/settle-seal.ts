import { sealProblem } from '../../../domain/point/seal.ts';
import { isMissingCollection } from '../http/errors.ts';
import type { Transport } from '../http/transport.ts';
import type { QdrantOptions } from '../options.ts';
import { anyOf } from '../schema/filters.ts';
import { RECORD_ID } from '../schema/store-record.ts';
import type { PointRecord } from '../types.ts';
import { PART } from '../write/archive-points.ts';

/** What a collection's record says of its seal; `none` where there is no record. */
export type StoredSeal = { seal: string | null } | 'none';

/** The collection and its server, for messages. */
export function placeOf({ address }: Transport, { collection }: QdrantOptions): string {
  return `the collection ${collection} in Qdrant at ${address}`;
}

export async function askSeal(transport: Transport, collection: string): Promise<StoredSeal> {
  try {
    const body = { ids: [RECORD_ID], with_payload: ['seal'], with_vector: false };
    const [record] = await transport.request<PointRecord[]>(
      'read',
      'POST',
      `${pathOf(collection)}/points`,
      body,
    );
    if (record === undefined) return 'none';
    const seal = record.payload?.seal;
    return { seal: typeof seal === 'string' ? seal : null };
  } catch (error) {
    if (isMissingCollection(error)) return 'none';
    throw error;
  }
}

/**
 * Refuses a collection that another key sealed, or none. One that is empty takes the seal: in its record, where that is
 * there already, else with the record.
 * @throws SmartForkError STORE_INCOMPATIBLE
 */
export async function settleSeal(
  transport: Transport,
  options: QdrantOptions,
  asked: StoredSeal,
): Promise<void> {
  const given = options.seal ?? null;
  const place = placeOf(transport, options);
  let stored = asked;
  if (given !== null && sealOf(stored) === null) {
    const isEmpty = await hasNoPoints(transport, options.collection);
    // Another machine may have made it meanwhile.
    stored = await askSeal(transport, options.collection);
    if (isEmpty && stored === 'none') return;
    if (isEmpty && sealOf(stored) === null) {
      await takeSeal(transport, options.collection, given);
      stored = await askSeal(transport, options.collection);
    }
  }
  if (stored === 'none' && given === null) return;
  const problem = sealProblem(place, sealOf(stored), given);
  if (problem !== null) throw problem;
}

function sealOf(stored: StoredSeal): string | null {
  return stored === 'none' ? null : stored.seal;
}

async function hasNoPoints(transport: Transport, collection: string): Promise<boolean> {
  const filter = { must: [anyOf('type', ['session', 'intent', 'chunk', 'tombstone', PART])] };
  const path = `${pathOf(collection)}/points/count`;
  return (
    (await transport.request<{ count: number }>('read', 'POST', path, { filter, exact: true })).count === 0
  );
}

async function takeSeal(transport: Transport, collection: string, seal: string): Promise<void> {
  const operations = [{ set_payload: { payload: { seal }, points: [RECORD_ID] } }];
  await transport.request('write', 'POST', `${pathOf(collection)}/points/batch?wait=true`, { operations });
}

function pathOf(collection: string): string {
  return `/collections/${encodeURIComponent(collection)}`;
}
