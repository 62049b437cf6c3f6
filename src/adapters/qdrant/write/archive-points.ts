import { archiveId, pointId } from '../../../domain/point/point-id.ts';
import type { ArchiveCommit, ArchivePoint } from '../../../ports/remote-store.ts';
import type { Connection } from '../http/connection.ts';
import { chunksOf } from '../http/reads.ts';
import { sendInBatches } from '../http/send-in-batches.ts';
import type { BatchLimits } from '../options.ts';
import { is } from '../schema/filters.ts';
import { MANIFEST, PART } from '../schema/stored-payload.ts';
import type { PointRecord, PointStruct, UpdateOperation } from '../types.ts';

/** Parts per answer: a few MB at most. */
const MAX_READ = 8;

/** Points without vectors: no search finds them. */
export async function putArchive(
  connection: Connection,
  limits: BatchLimits,
  points: ArchivePoint[],
): Promise<void> {
  await sendInBatches(limits, points.map(pointOf), (batch) => connection.upsert(batch));
}

export function putParts({ last }: ArchiveCommit): UpdateOperation[] {
  return last.length === 0 ? [] : [{ upsert: { points: last.map(pointOf) } }];
}

/** The fields that the commit sets in the session's point. */
export function manifestFields({ manifest }: ArchiveCommit): { archived: true; [MANIFEST]: string } {
  return { archived: true, [MANIFEST]: base64(manifest.bytes) };
}

/** Deletes parts that the manifest does not name. Only after the commit has won: another machine's manifest may name them. */
export function removeUnnamed({ sessionId, named }: ArchiveCommit): UpdateOperation {
  const must = [is('session_id', sessionId), is('type', PART)];
  return { delete: { filter: { must, must_not: named.length > 0 ? [{ has_id: named }] : undefined } } };
}

/** Existing parts, in no particular order. */
export async function getArchive(connection: Connection, ids: string[]): Promise<ArchivePoint[]> {
  const found: ArchivePoint[] = [];
  for (const some of chunksOf([...new Set(ids)], MAX_READ))
    found.push(...(await connection.retrieve(some, true)).flatMap(partOf));
  return found;
}

/** Which of these parts exist. */
export async function hasArchive(connection: Connection, ids: string[]): Promise<Set<string>> {
  const points = ids.length === 0 ? [] : await connection.retrieve(ids, ['type']);
  return new Set(points.map(({ id }) => String(id)));
}

/** Manifests of these sessions, or of the newest ones. */
export async function readManifests(
  connection: Connection,
  of: string[] | { newest: number },
): Promise<ArchivePoint[]> {
  const fields = ['session_id', MANIFEST];
  const points = Array.isArray(of)
    ? await connection.retrieve(
        of.map((id) => pointId(id, 'session')),
        fields,
      )
    : await newestManifests(connection, of.newest, fields);
  return points.flatMap((point) => manifestIn(point) ?? []);
}

async function newestManifests(
  connection: Connection,
  limit: number,
  fields: string[],
): Promise<PointRecord[]> {
  const { points } = await connection.scroll({
    filter: { must: [is('type', 'session')] },
    order_by: { key: 'session_ended_ms', direction: 'desc' },
    limit,
    with_payload: fields,
  });
  return points;
}

export function manifestIn({ payload }: PointRecord): ArchivePoint | null {
  const { session_id: sessionId, [MANIFEST]: data } = payload ?? {};
  if (typeof sessionId !== 'string' || typeof data !== 'string') return null;
  return { id: archiveId(sessionId), sessionId, kind: 'manifest', bytes: Buffer.from(data, 'base64') };
}

function pointOf({ id, sessionId, bytes }: ArchivePoint): PointStruct {
  return { id, vector: {}, payload: { type: PART, session_id: sessionId, data: base64(bytes) } };
}

function partOf({ id, payload }: PointRecord): ArchivePoint[] {
  const { type, session_id, data } = payload ?? {};
  if (type !== PART || typeof session_id !== 'string' || typeof data !== 'string') return [];
  return [{ id: String(id), sessionId: session_id, kind: 'part', bytes: Buffer.from(data, 'base64') }];
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}
