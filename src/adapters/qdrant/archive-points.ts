import type { ArchivePoint } from '../../ports/remote-store.ts';
import { batchesOf, forEachParallel } from './batches.ts';
import { type Connection, chunksOf } from './connection.ts';
import type { BatchLimits } from './options.ts';
import { toJson } from './transport.ts';

/** Parts of one answer: a few MB each. */
const MOST_READ = 4;

/** Points without a vector: no search finds them. */
export async function putArchive(
  connection: Connection,
  limits: BatchLimits,
  points: ArchivePoint[],
): Promise<void> {
  const bodies = points.map(({ id, payload }) => toJson({ id, vector: {}, payload }));
  const batches = batchesOf(bodies, (json) => json.length, limits);
  await forEachParallel(batches, limits.requests, (batch) => connection.upsert(batch));
}

/** Those that are there, in no particular order. */
export async function getArchive(connection: Connection, ids: string[]): Promise<ArchivePoint[]> {
  const found: ArchivePoint[] = [];
  for (const some of chunksOf([...new Set(ids)], MOST_READ)) {
    for (const { id, payload } of await connection.retrieve(some, true)) {
      // Written by `putArchive` with this very type.
      if (payload?.type === 'archive') found.push({ id: String(id), payload } as ArchivePoint);
    }
  }
  return found;
}

export async function deleteArchive(connection: Connection, ids: string[]): Promise<void> {
  if (ids.length > 0) await connection.deletePoints({ must: [{ has_id: ids }] });
}
