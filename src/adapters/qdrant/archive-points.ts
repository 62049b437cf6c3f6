import { forEachParallel } from '../../domain/for-each-parallel.ts';
import { pointId } from '../../domain/point-id.ts';
import type { ArchiveCommit, ArchivePoint } from '../../ports/remote-store.ts';
import { batchesOf } from './batches.ts';
import { type Connection, chunksOf } from './connection.ts';
import { anyOf, is } from './filters.ts';
import type { BatchLimits } from './options.ts';
import { collect, scrollAll } from './scroll.ts';
import { toJson } from './transport.ts';
import type { PointRecord, PointStruct, UpdateOperation } from './types.ts';

/** The types of points that hold transcripts. */
export const ARCHIVE_TYPES = ['archive', 'archive_manifest'] as const;
const [PART, MANIFEST] = ARCHIVE_TYPES;

/** Parts of one answer: a few MB at most. */
const MOST_READ = 8;
const MANIFEST_PAGE = 256;

/** Points without a vector: no search finds them. */
export async function putArchive(
  connection: Connection,
  limits: BatchLimits,
  points: ArchivePoint[],
): Promise<void> {
  const bodies = points.map((point) => toJson(pointOf(point)));
  const batches = batchesOf(bodies, (json) => json.length, limits);
  await forEachParallel(batches, limits.requests, (batch) => connection.upsert(batch));
}

/** One request, whose operations are applied in order. */
export async function commitArchive(
  connection: Connection,
  { sessionId, last, manifest, named }: ArchiveCommit,
): Promise<void> {
  const others = {
    must: [is('session_id', sessionId), is('type', PART)],
    ...(named.length > 0 && { must_not: [{ has_id: named }] }),
  };
  const operations: UpdateOperation[] = [
    { upsert: { points: [...last, manifest].map(pointOf) } },
    { delete: { filter: others } },
    {
      set_payload: {
        payload: { archived: true },
        filter: { must: [{ has_id: [pointId(sessionId, 'session')] }] },
      },
    },
  ];
  await connection.update(operations);
}

/** Those that are there, in no particular order. */
export async function getArchive(connection: Connection, ids: string[]): Promise<ArchivePoint[]> {
  const found: ArchivePoint[] = [];
  for (const some of chunksOf([...new Set(ids)], MOST_READ))
    found.push(...(await connection.retrieve(some, true)).flatMap(archiveOf));
  return found;
}

/** Those of the ids that are there. */
export async function hasArchive(connection: Connection, ids: string[]): Promise<Set<string>> {
  const points = ids.length === 0 ? [] : await connection.retrieve(ids, ['type']);
  return new Set(points.map(({ id }) => String(id)));
}

export async function listArchive(connection: Connection): Promise<ArchivePoint[]> {
  const filter = { must: [is('type', MANIFEST)] };
  const points = await collect(scrollAll(connection, filter, true, { page: MANIFEST_PAGE }));
  return points.flatMap(archiveOf);
}

export async function deleteArchive(connection: Connection, sessionIds: string[]): Promise<void> {
  if (sessionIds.length === 0) return;
  await connection.deletePoints({
    must: [anyOf('session_id', sessionIds), anyOf('type', [...ARCHIVE_TYPES])],
  });
}

function pointOf({ id, sessionId, kind, bytes }: ArchivePoint): PointStruct {
  const type = kind === 'part' ? PART : MANIFEST;
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  return { id, vector: {}, payload: { type, session_id: sessionId, data } };
}

function archiveOf({ id, payload }: PointRecord): ArchivePoint[] {
  const { type, session_id, data } = payload ?? {};
  if ((type !== PART && type !== MANIFEST) || typeof session_id !== 'string' || typeof data !== 'string')
    return [];
  const kind = type === PART ? 'part' : 'manifest';
  return [{ id: String(id), sessionId: session_id, kind, bytes: Buffer.from(data, 'base64') }];
}
