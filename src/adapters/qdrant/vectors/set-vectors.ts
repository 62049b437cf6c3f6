import type { Point, TextPayload } from '../../../domain/point/point.ts';
import { fixModel } from '../collection/fix-model.ts';
import type { Connection } from '../http/connection.ts';
import { isMissingPoint } from '../http/errors.ts';
import { sendInBatches } from '../http/send-in-batches.ts';
import type { BatchLimits } from '../options.ts';
import { DENSE } from '../schema/collection-shape.ts';
import { anyOf, is, TEXT_TYPES } from '../schema/filters.ts';
import { WITHOUT_EXTRAS } from '../schema/stored-payload.ts';
import { textsOf } from '../search/read-sessions.ts';
import { numbersOf } from '../search/search-lists.ts';
import type { PointRecord, Schemas } from '../types.ts';

interface TextVector {
  id: string;
  contentHash: string;
  vector: Float32Array;
}

/** A vector, or the text for the server to embed. */
interface VectorOrText extends Omit<TextVector, 'vector'> {
  vector: Float32Array | Schemas['Document'];
}

/** Attempts at a batch while another machine deletes points of it. */
const ROUNDS = 3;

/** One type after the other, each from the newest session to the oldest. */
export async function pointsWithoutVector(
  connection: Connection,
  limit: number,
): Promise<Point<TextPayload>[]> {
  const found: Point<TextPayload>[] = [];
  for (const type of TEXT_TYPES) {
    if (found.length >= limit) break;
    const { points } = await connection.scroll({
      filter: { must: [is('type', type)], must_not: [{ has_vector: DENSE }] },
      order_by: { key: 'session_ended_ms', direction: 'desc' },
      limit: limit - found.length,
      with_payload: { exclude: WITHOUT_EXTRAS.exclude.filter((field) => field !== 'session_ended_ms') },
    });
    found.push(...inOrder(connection, points));
  }
  return found;
}

/** See PointStore.setVectors. Sends only the vectors; the points stay unchanged. */
export async function setVectors(
  connection: Connection,
  limits: BatchLimits,
  model: { id: string; dimensions: number },
  items: TextVector[],
): Promise<void> {
  await fixModel(connection, model);
  await sendInBatches(limits, items, (batch) => putVectors(connection, batch));
}

export async function putVectors(connection: Connection, batch: VectorOrText[]): Promise<void> {
  for (let round = 1; ; round += 1) {
    const current = await unchanged(connection, batch);
    if (current.length === 0) return;
    const points = current.map(({ id, vector }) => ({ id, vector: { [DENSE]: denseOf(vector) } }));
    const update_filter = {
      must: [
        anyOf(
          'content_hash',
          current.map(({ contentHash }) => contentHash),
        ),
      ],
    };
    try {
      await connection.updateVectors({ points, update_filter });
      return;
    } catch (error) {
      if (!isMissingPoint(error) || round === ROUNDS) throw error;
    }
  }
}

function denseOf(vector: VectorOrText['vector']): number[] | Schemas['Document'] {
  return vector instanceof Float32Array ? numbersOf(vector) : vector;
}

/** The items whose text has not changed since it was embedded. */
async function unchanged(connection: Connection, batch: VectorOrText[]): Promise<VectorOrText[]> {
  const points = await connection.retrieve(
    batch.map(({ id }) => id),
    ['content_hash'],
  );
  const hashes = new Map(points.map(({ id, payload }) => [String(id), payload?.content_hash]));
  return batch.filter(({ id, contentHash }) => hashes.get(id) === contentHash);
}

/** Sorts completely; the server sorts only by time. */
function inOrder(connection: Connection, points: PointRecord[]): Point<TextPayload>[] {
  const ended = new Map(points.map(({ id, payload }) => [id, Number(payload?.session_ended_ms) || 0]));
  for (const { payload } of points) delete payload?.session_ended_ms;
  const endOf = ({ id }: PointRecord) => ended.get(id) ?? 0;
  return textsOf(connection, points)
    .sort(
      (a, b) =>
        endOf(b.point) - endOf(a.point) ||
        compare(a.payload.session_id, b.payload.session_id) ||
        a.payload.chunk_index - b.payload.chunk_index,
    )
    .map(({ point, payload }) => ({ id: String(point.id), payload }));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
