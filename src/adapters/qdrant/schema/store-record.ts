import { randomUUID } from 'node:crypto';
import { SmartForkError } from '../../../domain/errors.ts';
import { uuid5 } from '../../../domain/point/point-id.ts';
import { sealProblem } from '../../../domain/point/seal.ts';
import type { Connection } from '../http/connection.ts';
import { toJson } from '../http/transport.ts';
import type { PointRecord } from '../types.ts';
import { SCHEMA_VERSION } from './collection-shape.ts';
import { is } from './filters.ts';

/** What the store knows of itself: one point of type `store`, which every server version can keep and change. */
export interface StoreRecord {
  store_id: string;
  schema_version: number;
  model: { id: string; dimensions: number } | null;
  chunking: string | null;
  /** Tokens of a session's and of a chunk's document on the average, as lexical vectors are made with; null before the first. */
  session_average: number | null;
  chunk_average: number | null;
  /** Names the key that the points are sealed with; null or absent for plain ones. */
  seal?: string | null;
}

export const RECORD_ID = uuid5('smart-fork_store');

/**
 * The record; it is written when there is none yet.
 * @throws SmartForkError STORE_INCOMPATIBLE when a newer program or another key wrote it.
 */
export async function readRecord(connection: Connection): Promise<StoreRecord> {
  const read = async () => recordOf(connection, await connection.retrieve([RECORD_ID], true));
  const found = await read();
  if (found !== null) return found;
  await createRecord(connection);
  const made = await read();
  if (made !== null) return made;
  throw new SmartForkError('STORE_UNAVAILABLE', 'Qdrant does not keep what is written to it', {
    hint: 'Look at the server’s log and its disk.',
  });
}

/**
 * The record among points that were read.
 * @throws SmartForkError STORE_INCOMPATIBLE when a newer program or another key wrote it.
 */
export function recordOf(connection: Connection, points: PointRecord[]): StoreRecord | null {
  const { seal, place } = connection;
  const payload = points.find(({ id }) => id === RECORD_ID)?.payload;
  if (payload === undefined || payload === null) return null;
  // Written below with this very type.
  const record = payload as unknown as StoreRecord;
  const problem = sealProblem(place, record.seal ?? null, seal);
  if (problem !== null) throw problem;
  if (record.schema_version <= SCHEMA_VERSION) {
    connection.recognise(record.store_id);
    return record;
  }
  throw new SmartForkError(
    'STORE_INCOMPATIBLE',
    `the collection was written by a newer smart-fork (schema ${record.schema_version})`,
    {
      hint: 'Update smart-fork on this machine: npm install -g smart-fork@latest',
    },
  );
}

export async function updateRecord(connection: Connection, change: Partial<StoreRecord>): Promise<void> {
  await connection.update([
    { set_payload: { payload: { ...change }, filter: { must: [{ has_id: [RECORD_ID] }] } } },
  ]);
}

/** Of two machines that create it, the first one wins. */
async function createRecord(connection: Connection): Promise<void> {
  const record: StoreRecord = {
    store_id: randomUUID(),
    schema_version: SCHEMA_VERSION,
    model: null,
    chunking: null,
    session_average: null,
    chunk_average: null,
    seal: connection.seal,
  };
  const point = { id: RECORD_ID, vector: {}, payload: { type: 'store', ...record } };
  const { hasConditions } = await connection.version();
  if (hasConditions) {
    const never = { must: [is('type', 'nothing')] };
    await connection.update([{ upsert: { points: [point], update_filter: never } }]);
  } else {
    await connection.upsert([toJson(point)]);
  }
}
