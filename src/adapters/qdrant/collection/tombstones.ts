import { uuid5 } from '../../../domain/point/point-id.ts';
import type { Tombstone } from '../../../ports/remote-store.ts';
import { type Connection, chunksOf } from '../http/connection.ts';
import { collect, scrollAll } from '../http/scroll.ts';
import { toJson } from '../http/transport.ts';
import { anyOf, is } from '../schema/filters.ts';
import { readRecord, recordOf } from '../schema/store-record.ts';
import type { Filter, PointRecord } from '../types.ts';

const TOMBSTONE = 'tombstone';
const FIELDS = ['type', 'session_id', 'machine', 'forgotten_at'];
/** Session ids of one request to delete. */
const MOST_DELETED = 200;

export function tombstoneId(sessionId: string): string {
  return uuid5(`${sessionId}_${TOMBSTONE}`);
}

/** All points of the sessions but their tombstones. */
export function pointsOfSessions(sessionIds: string[]): Filter {
  return { must: [anyOf('session_id', sessionIds)], must_not: [is('type', TOMBSTONE)] };
}

/** The tombstones first: who writes one of the sessions at this moment finds them afterwards. */
export async function forgetSessions(connection: Connection, tombstones: Tombstone[]): Promise<void> {
  for (const some of chunksOf(tombstones, MOST_DELETED)) {
    const points = some.map((tombstone) => ({
      id: tombstoneId(tombstone.session_id),
      vector: {},
      payload: { type: TOMBSTONE, ...tombstone },
    }));
    await connection.upsert(points.map(toJson));
    await connection.deletePoints(pointsOfSessions(some.map(({ session_id }) => session_id)));
  }
}

export async function liftTombstones(connection: Connection, sessionIds: string[]): Promise<void> {
  if (sessionIds.length > 0)
    await connection.deletePoints({ must: [{ has_id: sessionIds.map(tombstoneId) }] });
}

export async function readTombstones(
  connection: Connection,
  sessionIds: string[] | undefined,
): Promise<Tombstone[]> {
  const points =
    sessionIds === undefined
      ? await collect(scrollAll(connection, { must: [is('type', TOMBSTONE)] }, FIELDS, { page: 1000 }))
      : await connection.retrieve(sessionIds.map(tombstoneId), FIELDS);
  return points.map(tombstoneOf);
}

/** Which store it is and what was forgotten, in one request. */
export async function greet(connection: Connection): Promise<{ storeId: string; tombstones: Tombstone[] }> {
  const filter = { must: [anyOf('type', ['store', TOMBSTONE])] };
  const points = await collect(scrollAll(connection.first, filter, true, { page: 1000 }));
  const { store_id: storeId } = recordOf(connection, points) ?? (await readRecord(connection));
  const tombstones = points.filter(({ payload }) => payload?.type === TOMBSTONE).map(tombstoneOf);
  return { storeId, tombstones };
}

/** The sessions among points that were read whose tombstone is there. */
export function tombstonedIn(points: PointRecord[]): Set<string> {
  const found = points.filter(({ payload }) => payload?.type === TOMBSTONE);
  return new Set(found.map(({ payload }) => String(payload?.session_id)));
}

function tombstoneOf({ payload }: PointRecord): Tombstone {
  return {
    session_id: String(payload?.session_id),
    machine: String(payload?.machine),
    forgotten_at: String(payload?.forgotten_at),
  };
}
