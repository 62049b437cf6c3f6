import { randomUUID } from 'node:crypto';
import { SmartForkError } from '../../../domain/errors.ts';
import { sealProblem } from '../../../domain/point/seal.ts';
import type { Connection } from '../http/connection.ts';
import { newerProgram, SCHEMA_VERSION } from '../schema/collection-shape.ts';
import { is } from '../schema/filters.ts';
import { PREPARATION, RECORD_ID, recordIn, type StoreRecord } from '../schema/store-record.ts';
import type { PointRecord, QueryRequest } from '../types.ts';

/**
 * The store's record; creates it if it is missing.
 * @throws SmartForkError STORE_INCOMPATIBLE if a newer program or another key wrote it.
 */
export async function readRecord(connection: Connection): Promise<StoreRecord> {
  const points = await connection.first((reads) => reads.retrieve([RECORD_ID], true));
  return recordFrom(connection, points);
}

/** `readRecord` from points that were requested along with the record. Skips the check of the collection if the record allows it. */
export async function recordFrom(connection: Connection, points: PointRecord[]): Promise<StoreRecord> {
  const found = recordIn(points);
  const isOurs = found !== null && problemOf(connection, found) === null;
  if (isOurs && (found.prepared ?? 0) >= PREPARATION) {
    connection.trust();
    return found;
  }
  await connection.check();
  const record = isOurs ? found : await createdRecord(connection);
  const problem = problemOf(connection, record);
  if (problem !== null) throw problem;
  return record;
}

/** The record, as one of the searches of a batch. */
export function recordSearch(): QueryRequest {
  return { filter: { must: [{ has_id: [RECORD_ID] }] }, limit: 1, with_payload: true };
}

export async function updateRecord(connection: Connection, change: Partial<StoreRecord>): Promise<void> {
  await connection.update([
    { set_payload: { payload: { ...change }, filter: { must: [{ has_id: [RECORD_ID] }] } } },
  ]);
}

function problemOf({ place, seal }: Connection, record: StoreRecord): SmartForkError | null {
  const { schema_version: schema } = record;
  return (
    sealProblem(place, record.seal ?? null, seal) ??
    (schema > SCHEMA_VERSION ? newerProgram(place, schema) : null)
  );
}

async function createdRecord(connection: Connection): Promise<StoreRecord> {
  const read = async () => recordIn(await connection.retrieve([RECORD_ID], true));
  const found = await read();
  if (found !== null) return found;
  await createRecord(connection);
  const created = await read();
  if (created !== null) return created;
  throw new SmartForkError('STORE_UNAVAILABLE', 'Qdrant accepted a write but did not store it', {
    hint: 'Check the server’s log and its disk.',
  });
}

/** If two machines create it, the first one wins. */
async function createRecord(connection: Connection): Promise<void> {
  const record: StoreRecord = {
    store_id: randomUUID(),
    schema_version: SCHEMA_VERSION,
    prepared: PREPARATION,
    model: null,
    chunking: null,
    seal: connection.seal,
  };
  const point = { id: RECORD_ID, vector: {}, payload: { type: 'store', ...record } };
  const never = { must: [is('type', 'nothing')] };
  await connection.update([{ upsert: { points: [point], update_filter: never } }]);
}
