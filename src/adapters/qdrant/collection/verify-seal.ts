import { sealProblem } from '../../../domain/point/seal.ts';
import { pageIn, pointsIn } from '../http/check-answer.ts';
import { unlessMissing } from '../http/errors.ts';
import type { Server } from '../http/server.ts';
import { anyOf, TEXT_TYPES } from '../schema/filters.ts';
import { RECORD_ID, recordIn, type StoreRecord } from '../schema/store-record.ts';
import { PART, TOMBSTONE } from '../schema/stored-payload.ts';

/**
 * Refuses a collection whose texts are sealed with another key or not sealed. In an empty collection, records the seal; if it has
 * no record yet, the record is created later, with the seal.
 * @throws SmartForkError STORE_INCOMPATIBLE
 */
export async function verifySeal(
  server: Server,
  place: string,
  given: string | null,
  record: StoreRecord | null,
): Promise<void> {
  let stored = record;
  if (given !== null && (stored?.seal ?? null) === null) {
    const isEmpty = await hasNoPoints(server);
    // Another machine may have created the record in the meantime.
    stored = await askRecord(server);
    if (isEmpty && stored === null) return;
    if (isEmpty && (stored?.seal ?? null) === null) {
      const operations = [{ set_payload: { payload: { seal: given }, points: [RECORD_ID] } }];
      await server.write('batchUpdate', { wait: true, operations });
      stored = await askRecord(server);
    }
  }
  if (stored === null && given === null) return;
  const problem = sealProblem(place, stored?.seal ?? null, given);
  if (problem !== null) throw problem;
}

/** Null if there is no record, or no collection. */
export function askRecord(server: Server): Promise<StoreRecord | null> {
  const body = { ids: [RECORD_ID], with_payload: true, with_vector: false };
  return unlessMissing(server.read('getPoints', body, (answer) => recordIn(pointsIn(answer, 1))));
}

async function hasNoPoints(server: Server): Promise<boolean> {
  const filter = { must: [anyOf('type', ['session', ...TEXT_TYPES, TOMBSTONE, PART])] };
  const body = { filter, limit: 1, with_payload: false };
  return (await server.read('scrollPoints', body, (answer) => pageIn(answer, body))).points.length === 0;
}
