import { sealProblem } from '../../../domain/point/seal.ts';
import { countIn } from '../http/check-answer.ts';
import type { Request } from '../http/server.ts';
import { anyOf, TEXT_TYPES } from '../schema/filters.ts';
import { RECORD_ID, type StoreRecord } from '../schema/store-record.ts';
import { PART, TOMBSTONE } from '../schema/stored-payload.ts';

interface Collection {
  place: string;
  request: Request;
  askRecord(): Promise<StoreRecord | null>;
}

/**
 * Refuses a collection whose texts are sealed with another key or not sealed. In an empty collection, records the seal; if it has
 * no record yet, the record is created later, with the seal.
 * @throws SmartForkError STORE_INCOMPATIBLE
 */
export async function verifySeal(
  collection: Collection,
  given: string | null,
  record: StoreRecord | null,
): Promise<void> {
  let stored = record;
  if (given !== null && (stored?.seal ?? null) === null) {
    const isEmpty = await hasNoPoints(collection);
    // Another machine may have created the record in the meantime.
    stored = await collection.askRecord();
    if (isEmpty && stored === null) return;
    if (isEmpty && (stored?.seal ?? null) === null) {
      await recordSeal(collection, given);
      stored = await collection.askRecord();
    }
  }
  if (stored === null && given === null) return;
  const problem = sealProblem(collection.place, stored?.seal ?? null, given);
  if (problem !== null) throw problem;
}

async function hasNoPoints({ request }: Collection): Promise<boolean> {
  const filter = { must: [anyOf('type', ['session', ...TEXT_TYPES, TOMBSTONE, PART])] };
  return (await request('countPoints', { filter, exact: true }, countIn)) === 0;
}

async function recordSeal({ request }: Collection, seal: string): Promise<void> {
  const operations = [{ set_payload: { payload: { seal }, points: [RECORD_ID] } }];
  await request('batchUpdate', { wait: true, operations }, () => undefined);
}
