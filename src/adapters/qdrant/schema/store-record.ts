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
  /** Average tokens of a session and of a chunk, if an older program measured them; see sparse.ts. */
  session_average: number | null;
  chunk_average: number | null;
  /** Id of the key that seals the points; null or absent for plain texts. */
  seal?: string | null;
}

/** Increased when collections need something that older ones lack: a payload index, a newer server. */
export const PREPARATION = 1;

export const RECORD_ID = uuid5('smart-fork_store');

/** Finds the record among the points. No validation: smart-fork wrote it with this type. */
export function recordIn(points: PointRecord[]): StoreRecord | null {
  const payload = points.find(({ id }) => id === RECORD_ID)?.payload ?? null;
  return payload as unknown as StoreRecord | null;
}
