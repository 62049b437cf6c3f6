import type { ChunkPayload, SessionPayload, TextPayload } from '../../../domain/point/point.ts';
import { pointId } from '../../../domain/point/point-id.ts';
import { readSessionPayload, readTextPayload } from '../../../domain/point/read-payload.ts';
import type { StoredPoint } from '../../../domain/search/search.ts';
import type { Connection } from '../http/connection.ts';
import { chunksOf } from '../http/reads.ts';
import { collect, scrollAll } from '../http/scroll.ts';
import { DENSE } from '../schema/collection-shape.ts';
import { anyOf, is, range, TEXT_TYPES } from '../schema/filters.ts';
import { LONGEST_ID_PREFIX, WITHOUT_EXTRAS } from '../schema/stored-payload.ts';
import type { PointRecord } from '../types.ts';

/** Texts or vectors per answer: a few MB at most. */
const TEXT_PAGE = 256;
const SMALL_PAGE = 1000;

export async function getSessions(connection: Connection, sessionIds: string[]): Promise<SessionPayload[]> {
  if (sessionIds.length === 0) return [];
  const ids = sessionIds.map((id) => pointId(id, 'session'));
  return sessionsOf(connection, await connection.retrieve(ids, WITHOUT_EXTRAS));
}

/** Reads at most SMALL_PAGE ids: of more sessions, none is meant. */
export async function findByIdPrefix(
  connection: Connection,
  prefix: string,
  limit: number,
): Promise<SessionPayload[]> {
  const beginning = prefix.slice(0, LONGEST_ID_PREFIX);
  const conditions = beginning === '' ? [] : [is('id_prefixes', beginning)];
  const filter = { must: [is('type', 'session'), ...conditions] };
  const { points } = await connection.scroll({ filter, limit: SMALL_PAGE, with_payload: ['session_id'] });
  const found = points
    .map(({ payload }) => String(payload?.session_id))
    .filter((id) => id.startsWith(prefix))
    .sort();
  const sessions = await getSessions(connection, found.slice(0, limit));
  return sessions.sort((a, b) => (a.session_id < b.session_id ? -1 : 1));
}

export async function getPoints(
  connection: Connection,
  ids: string[],
  { vectors = false, hasVector = false }: { vectors?: boolean; hasVector?: boolean } = {},
): Promise<StoredPoint[]> {
  if (ids.length === 0) return [];
  const unique = [...new Set(ids)];
  if (vectors) {
    const points: PointRecord[] = [];
    for (const some of chunksOf(unique, TEXT_PAGE))
      points.push(...(await connection.retrieve(some, WITHOUT_EXTRAS, [DENSE])));
    return textsOf(connection, points).map(({ point, payload }) => {
      const vector = vectorOf(point);
      return { id: String(point.id), payload, hasVector: vector !== null, vector: vector ?? undefined };
    });
  }
  const withVector = { must: [{ has_id: unique }, { has_vector: DENSE }] };
  const [points, embedded] = await Promise.all([
    connection.retrieve(ids, WITHOUT_EXTRAS),
    hasVector ? collect(scrollAll(connection, withVector, false, { page: SMALL_PAGE })) : null,
  ]);
  const embeddedIds = embedded && new Set(embedded.map(({ id }) => id));
  return textsOf(connection, points).map(({ point: { id }, payload }) => ({
    id: String(id),
    payload,
    hasVector: embeddedIds?.has(id),
  }));
}

function vectorOf({ vector }: PointRecord): Float32Array | null {
  const dense: unknown = Object(vector)[DENSE];
  return Array.isArray(dense) ? Float32Array.from(dense, Number) : null;
}

export async function getChunks(
  connection: Connection,
  sessionId: string,
  from: number,
): Promise<ChunkPayload[]> {
  const filter = {
    must: [
      is('session_id', sessionId),
      is('type', 'chunk'),
      ...(from > 0 ? [range('chunk_index', { gte: from })] : []),
    ],
  };
  const points = await collect(scrollAll(connection, filter, WITHOUT_EXTRAS, { page: TEXT_PAGE }));
  return textsOf(connection, points)
    .flatMap(({ payload }) => (payload.type === 'chunk' ? payload : []))
    .sort((a, b) => a.chunk_index - b.chunk_index);
}

export async function getHashes(connection: Connection, sessionId: string): Promise<Map<string, string>> {
  const filter = { must: [is('session_id', sessionId), anyOf('type', TEXT_TYPES)] };
  const points = await collect(scrollAll(connection, filter, ['content_hash'], { page: SMALL_PAGE }));
  return new Map(points.map(({ id, payload }) => [String(id), String(payload?.content_hash)]));
}

/** Null for a point that is not a session; see readSessionPayload. */
export function sessionOf({ seal, damage }: Reading, { payload }: PointRecord): SessionPayload | null {
  const read = readSessionPayload(payload, seal !== null);
  if (!read.isWhole) damage.note(payload?.session_id);
  return read.payload;
}

export function sessionsOf(reading: Reading, points: PointRecord[]): SessionPayload[] {
  return points.flatMap((point) => sessionOf(reading, point) ?? []);
}

export function textOf({ seal, damage }: Reading, { payload }: PointRecord): TextPayload | null {
  const read = readTextPayload(payload, seal !== null);
  if (!read.isWhole) damage.note(payload?.session_id);
  return read.payload;
}

/** The text points, with their payloads. */
export function textsOf(
  reading: Reading,
  points: PointRecord[],
): { point: PointRecord; payload: TextPayload }[] {
  return points.flatMap((point) => {
    const payload = textOf(reading, point);
    return payload === null ? [] : [{ point, payload }];
  });
}

type Reading = Pick<Connection, 'seal' | 'damage'>;
