import { SmartForkError } from '../../../domain/errors.ts';
import type { Connection } from '../http/connection.ts';
import { denseSize } from '../schema/collection-shape.ts';
import type { StoreRecord } from '../schema/store-record.ts';
import { readRecord, updateRecord } from './read-record.ts';

interface Model {
  id: string;
  dimensions: number;
}

/**
 * The first vectors fix the model of a collection.
 * @throws SmartForkError MODEL_MISMATCH for any other model afterwards.
 */
export async function fixModel(
  connection: Connection,
  { id, dimensions }: Model,
  record?: StoreRecord,
): Promise<void> {
  let stored = (record ?? (await readRecord(connection))).model;
  if (stored === null) {
    await checkDimensions(connection, { id, dimensions });
    await updateRecord(connection, { model: { id, dimensions } });
    // Another machine may have recorded its own model in the meantime.
    stored = (await readRecord(connection)).model;
  }
  if (stored === null || (stored.id === id && stored.dimensions === dimensions)) return;
  throw new SmartForkError(
    'MODEL_MISMATCH',
    `the store was filled by ${stored.id} (${stored.dimensions} dimensions), not by ${id} (${dimensions})`,
    {
      hint: `Use ${stored.id} again (SMART_FORK_MODEL_DIR or embedding.model), or set QDRANT_COLLECTION to a new name.`,
    },
  );
}

/** A model of other dimensions must not be recorded. */
async function checkDimensions(connection: Connection, model: Model): Promise<void> {
  const dimensions = denseSize(await connection.info());
  if (dimensions === model.dimensions) return;
  throw new SmartForkError(
    'MODEL_MISMATCH',
    `the collection has vectors of ${dimensions} dimensions; ${model.id} has ${model.dimensions}`,
    { hint: 'Set QDRANT_COLLECTION to another name, or use the model that the collection was made for.' },
  );
}
