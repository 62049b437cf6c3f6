import { uuid5 } from '../../../domain/point/point-id.ts';
import type { Tombstone } from '../../../ports/remote-store.ts';
import type { Connection } from '../http/connection.ts';
import { chunksOf } from '../http/reads.ts';
import { collect, scrollAll } from '../http/scroll.ts';
import { anyOf, is } from '../schema/filters.ts';
import { TOMBSTONE } from '../schema/stored-payload.ts';
import type { Filter, PointRecord } from '../types.ts';
import { recordFrom } from './read-record.ts';

const FIELDS = ['type', 'session_id', 'machine', 'forgotten_at'];
/** Session ids per request. */
const MAX_DELETED = 200;

export function tombstoneId(sessionId: string): string {
  return uuid5(`${sessionId}_${TOMBSTONE}`);
}

/** All points of the sessions except their tombstones. */
export function pointsOfSessions(sessionIds: string[]): Filter {
  return { must: [anyOf('session_id', sessionIds)], must_not: [is('type', TOMBSTONE)] };
}

/** Writes the tombstones first, so that a machine writing one of the sessions at the same time finds them afterwards. */
export async function forgetSessions(connection: Connection, tombstones: Tombstone[]): Promise<void> {
  for (const some of chunksOf(tombstones, MAX_DELETED)) {
    const points = some.map((tombstone) => ({
      id: tombstoneId(tombstone.session_id),
      vector: {},
      payload: { type: TOMBSTONE, ...tombstone },
    }));
    await connection.upsert(points);
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
  return points.flatMap(tombstoneOf);
}

/** The store's id and all tombstones, in one request. */
export async function handshake(
  connection: Connection,
): Promise<{ storeId: string; tombstones: Tombstone[] }> {
  const filter = { must: [anyOf('type', ['store', TOMBSTONE])] };
  const points = await connection.first((reads) => collect(scrollAll(reads, filter, true, { page: 1000 })));
  const { store_id: storeId } = await recordFrom(connection, points);
  const tombstones = points.filter(({ payload }) => payload?.type === TOMBSTONE).flatMap(tombstoneOf);
  return { storeId, tombstones };
}

/** The sessions with a tombstone among the points. */
export function tombstonedIn(points: PointRecord[]): Set<string> {
  const found = points.filter(({ payload }) => payload?.type === TOMBSTONE);
  return new Set(found.map(({ payload }) => String(payload?.session_id)));
}

/** None for a point that names no session. */
function tombstoneOf({ payload }: PointRecord): Tombstone[] {
  const { session_id, machine, forgotten_at } = payload ?? {};
  if (typeof session_id !== 'string') return [];
  return [{ session_id, machine: textOr(machine), forgotten_at: textOr(forgotten_at) }];
}

function textOr(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
