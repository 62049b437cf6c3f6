import { SmartForkError } from '../../../domain/errors.ts';
import { forEachParallel } from '../../../domain/for-each-parallel.ts';
import type { ChunkPayload, IntentPayload, Point } from '../../../domain/point/point.ts';
import { batchesOf } from '../http/batches.ts';
import type { Connection } from '../http/connection.ts';
import { isMissingPoint } from '../http/errors.ts';
import type { BatchLimits } from '../options.ts';
import { DENSE } from '../schema/collection-shape.ts';
import { anyOf, is, TEXT_TYPES } from '../schema/filters.ts';
import { readRecord, updateRecord } from '../schema/store-record.ts';
import { WITHOUT_EXTRAS } from '../schema/stored-payload.ts';
import { textOf } from '../search/read-sessions.ts';
import { numbersOf } from '../search/search-lists.ts';
import type { PointRecord, Schemas } from '../types.ts';

export interface TextVector {
  id: string;
  contentHash: string;
  vector: Float32Array;
}

export interface Model {
  id: string;
  dimensions: number;
}

/** A vector, or the text that the server makes one of. */
interface VectorOrText extends Omit<TextVector, 'vector'> {
  vector: Float32Array | Schemas['Document'];
}

/** How often a batch is tried again because points in it were deleted meanwhile. */
const ROUNDS = 3;

/** Intents first, then chunks, of the sessions that ended last. */
export async function pointsWithoutVector(
  connection: Connection,
  limit: number,
): Promise<Point<IntentPayload | ChunkPayload>[]> {
  const found: Point<IntentPayload | ChunkPayload>[] = [];
  for (const type of TEXT_TYPES) {
    if (found.length >= limit) break;
    const { points } = await connection.scroll({
      filter: { must: [is('type', type)], must_not: [{ has_vector: DENSE }] },
      order_by: { key: 'session_ended_ms', direction: 'desc' },
      limit: limit - found.length,
      with_payload: { exclude: WITHOUT_EXTRAS.exclude.filter((field) => field !== 'session_ended_ms') },
    });
    found.push(...inOrder(points).map((point) => ({ id: String(point.id), payload: withoutEnd(point) })));
  }
  return found;
}

/** Only vectors are sent; the points stay as they are. See PointStore.setVectors. */
export async function setVectors(
  connection: Connection,
  limits: BatchLimits,
  model: Model,
  items: TextVector[],
): Promise<void> {
  await settleModel(connection, model);
  // Twelve characters a number, about.
  const batches = batchesOf(items, ({ vector }) => 100 + vector.length * 12, limits);
  await forEachParallel(batches, limits.requests, (batch) => putVectors(connection, batch));
}

export async function putVectors(connection: Connection, batch: VectorOrText[]): Promise<void> {
  const { hasConditions } = await connection.version();
  for (let round = 1; ; round += 1) {
    const current = await fresh(connection, batch);
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
      await connection.updateVectors({ points, ...(hasConditions && { update_filter }) });
      if (!hasConditions) await dropOutdated(connection, current);
      return;
    } catch (error) {
      if (!isMissingPoint(error) || round === ROUNDS) throw error;
    }
  }
}

function denseOf(vector: VectorOrText['vector']): number[] | Schemas['Document'] {
  return vector instanceof Float32Array ? numbersOf(vector) : vector;
}

/** Of these, the ones whose text is still the one that was embedded. */
async function fresh(connection: Connection, batch: VectorOrText[]): Promise<VectorOrText[]> {
  const points = await connection.retrieve(
    batch.map(({ id }) => id),
    ['content_hash'],
  );
  const hashes = new Map(points.map(({ id, payload }) => [String(id), payload?.content_hash]));
  return batch.filter(({ id, contentHash }) => hashes.get(id) === contentHash);
}

/** Servers before 1.16 cannot make a write depend on a condition: what changed in that moment waits for a vector again. */
async function dropOutdated(connection: Connection, written: VectorOrText[]): Promise<void> {
  const still = new Set((await fresh(connection, written)).map(({ id }) => id));
  const points = written.filter(({ id }) => !still.has(id)).map(({ id }) => id);
  if (points.length > 0) await connection.update([{ delete_vectors: { points, vector: [DENSE] } }]);
}

/** The first vectors fix the model. */
export async function settleModel(connection: Connection, model: Model): Promise<void> {
  let stored = (await readRecord(connection)).model;
  if (stored === null) {
    await checkDimensions(connection, model);
    await updateRecord(connection, { model: { id: model.id, dimensions: model.dimensions } });
    stored = (await readRecord(connection)).model;
  }
  if (stored !== null && !isSameModel(stored, model)) throw otherModel(stored, model);
}

export function isSameModel(one: Model, other: Model): boolean {
  return one.id === other.id && one.dimensions === other.dimensions;
}

export function otherModel(stored: Model, model: Model): SmartForkError {
  return new SmartForkError(
    'STORE_INCOMPATIBLE',
    `the store was filled by ${stored.id} (${stored.dimensions} dimensions), not by ${model.id} (${model.dimensions})`,
    {
      hint: `Use ${stored.id} again (SMART_FORK_MODEL_DIR or embedding.model), or set QDRANT_COLLECTION to a new name.`,
    },
  );
}

/** A wrong model must not be written down as the right one. */
export async function checkDimensions(connection: Connection, model: Model): Promise<void> {
  const dimensions = await connection.dimensions();
  if (dimensions === model.dimensions) return;
  throw new SmartForkError(
    'STORE_INCOMPATIBLE',
    `the collection takes vectors of ${dimensions} dimensions; those of ${model.id} have ${model.dimensions}`,
    { hint: 'Set QDRANT_COLLECTION to another name, or use the model that the collection was made for.' },
  );
}

/** The server orders by time alone. */
function inOrder(points: PointRecord[]): PointRecord[] {
  const keyOf = ({ payload }: PointRecord) => Number(payload?.session_ended_ms);
  return points.sort(
    (a, b) =>
      keyOf(b) - keyOf(a) ||
      compare(textOf(a).session_id, textOf(b).session_id) ||
      textOf(a).chunk_index - textOf(b).chunk_index,
  );
}

function withoutEnd(point: PointRecord): IntentPayload | ChunkPayload {
  const { session_ended_ms: _, ...payload }: Record<string, unknown> = { ...point.payload };
  return textOf({ ...point, payload });
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
