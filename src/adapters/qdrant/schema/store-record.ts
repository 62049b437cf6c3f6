import { SmartForkError } from '../../../domain/errors.ts';
import { isRecord } from '../../../domain/is-record.ts';
import { uuid5 } from '../../../domain/point/point-id.ts';
import type { PointRecord } from '../types.ts';

/** The store's description of itself: the payload of the only point of type `store`. */
export interface StoreRecord {
  store_id: string;
  schema_version: number;
  /** The PREPARATION of the last check; absent in collections of older programs. */
  prepared?: number;
  model: { id: string; dimensions: number } | null;
  chunking: string | null;
  /** Id of the key that seals the points; null or absent for plain texts. */
  seal?: string | null;
}

/** Increased when collections need something that older ones lack: a payload index, a newer server. */
export const PREPARATION = 3;

export const RECORD_ID = uuid5('smart-fork_store');

/**
 * Finds the record among the points.
 * @throws SmartForkError STORE_INCOMPATIBLE if it is damaged: model and key must not be guessed.
 */
export function recordIn(points: PointRecord[]): StoreRecord | null {
  const payload = points.find(({ id }) => id === RECORD_ID)?.payload ?? null;
  if (payload === null) return null;
  const wrong = Object.entries(RECORD).find(([field, accepts]) => !accepts(payload[field] ?? null));
  if (wrong === undefined) return payload as unknown as StoreRecord;
  const message = `the collection’s record is damaged: its field ${wrong[0]} has a wrong value`;
  throw new SmartForkError('STORE_INCOMPATIBLE', message, {
    hint: `Check who can write to the server. Correct the point ${RECORD_ID}, or set QDRANT_COLLECTION to a new name.`,
  });
}

const isText = (value: unknown) => typeof value === 'string';
const orNull = (accepts: (value: unknown) => boolean) => (value: unknown) => value === null || accepts(value);
const isNumber = (value: unknown) => typeof value === 'number' && value >= 0;

const RECORD: { [Key in keyof StoreRecord]-?: (value: unknown) => boolean } = {
  store_id: isText,
  schema_version: isNumber,
  prepared: orNull(isNumber),
  model: orNull((value) => isRecord(value) && isText(value.id) && isNumber(value.dimensions)),
  chunking: orNull(isText),
  seal: orNull(isText),
};

/** For `with_payload`. */
export const RECORD_FIELDS = ['type', ...Object.keys(RECORD)];
