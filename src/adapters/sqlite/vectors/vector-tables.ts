import { createRequire } from 'node:module';
import { SmartForkError } from '../../../domain/errors.ts';
import type { TextPayload } from '../../../domain/point/point.ts';
import type { Hit } from '../../../domain/search/search.ts';
import type { StoredModel } from '../../../ports/point-store.ts';
import { readMeta, writeMeta } from '../database/migrate.ts';
import { type Database, prepareWrite } from '../database/open-database.ts';
import { hitOf } from '../points/rows.ts';
import type { Condition } from '../points/session-filter.ts';
import { pointIdOf } from '../points/stored-ids.ts';
import { CENTRE, createCentre } from './centre.ts';
import { signsOf } from './signs.ts';
import { fromStoredVector, toStoredVector } from './stored-vector.ts';

/**
 * The vectors of points, and their signs. Signs are an eighth of the size: they are searched for the nearest vectors, and the best
 * candidates are compared in full.
 */
export interface VectorTables {
  model(): StoredModel | null;
  /** Records the model of the vectors to be added, or checks that the store's vectors are from the same one. */
  prepare(model: StoredModel, vectors: Float32Array[]): void;
  /** Deletes all vectors and the record of their model. */
  drop(): void;
  /** A zero vector appears in no list. */
  add(vectors: Iterable<PointVector>): void;
  remove(type: string, point: number): void;
  /** Nearest points by cosine, best first, among those that match the condition on the point `p` and its session `s`. */
  nearest(
    type: TextType,
    vector: Float32Array,
    limit: number,
    condition: Condition | null,
    asOf?: string,
  ): Hit[];
  /** Cosine of every chunk of the sessions. */
  scoreChunks(sessionIds: string[], vector: Float32Array | null): Hit[];
  /** By point id. */
  read(ids: string[]): Map<string, Float32Array>;
}

export interface PointVector {
  type: string;
  /** Row id of the point. */
  point: number;
  vector: Float32Array;
}

type TextType = TextPayload['type'];

/** Vectors compared in full per requested hit, and a minimum. */
const CANDIDATES = 4;
const MIN_CANDIDATES = 1024;

export function createVectorTables(database: Database): VectorTables {
  let loaded = false;
  const load = () => {
    if (!loaded) loadVectorFunctions(database);
    loaded = true;
  };
  const centre = createCentre(database);
  const model = (): StoredModel | null => {
    const stored = readMeta(database, 'model');
    return stored === null ? null : (JSON.parse(stored) as StoredModel);
  };
  const removeVector = prepareWrite(database, 'DELETE FROM vectors WHERE rowid = ?');
  const removeSigns = prepareWrite(database, 'DELETE FROM signs WHERE type = ? AND point = ?');
  const remove = (type: string, point: number) => {
    removeVector.run(point);
    removeSigns.run(type, point);
  };

  return {
    model,
    prepare(wanted, vectors) {
      const stored = model();
      if (stored !== null) {
        checkModel(stored, wanted);
        return centre.refine(wanted.dimensions);
      }
      writeMeta(database, 'model', JSON.stringify({ id: wanted.id, dimensions: wanted.dimensions }));
      centre.set(vectors, wanted.dimensions);
    },
    drop() {
      database.exec(
        `DELETE FROM vectors; DELETE FROM signs; DELETE FROM meta WHERE key IN ('model', '${CENTRE}')`,
      );
    },
    add(vectors) {
      const from = centre.read();
      const insert = prepareWrite(database, 'INSERT INTO vectors VALUES (?, ?)');
      const insertSigns = prepareWrite(database, 'INSERT INTO signs VALUES (?, ?, ?)');
      for (const { type, point, vector } of vectors) {
        remove(type, point);
        const stored = toStoredVector(vector);
        if (from === null || stored === null) continue;
        insert.run(point, stored);
        insertSigns.run(type, point, signsOf(vector, from.numbers));
      }
    },
    remove,
    nearest(type, vector, limit, condition, asOf) {
      const from = centre.read();
      const stored = toStoredVector(vector);
      if (from === null || stored === null) return [];
      load();
      const params = [...(condition?.params ?? []), ...(asOf ? [asOf] : [])];
      const candidates = Math.max(CANDIDATES * limit, MIN_CANDIDATES);
      return database
        .prepare(nearestSql(condition, asOf))
        .all(stored, type, ...params, signsOf(vector, from.numbers), candidates, limit)
        .map(hitOf);
    },
    scoreChunks(sessionIds, vector) {
      const stored = vector && toStoredVector(vector);
      if (stored === null || model() === null) return [];
      load();
      return database
        .prepare(
          `SELECT s.session_id, s.ended_at, p.id, 1 - vec_distance_cosine(vec_int8(v.vector), vec_int8(?)) AS score
             FROM sessions s JOIN points p ON p.session = s.rowid AND p.type = 'chunk'
             JOIN vectors v ON v.rowid = p.rowid
            WHERE s.session_id IN (SELECT value FROM json_each(?))`,
        )
        .all(stored, JSON.stringify(sessionIds))
        .map(hitOf);
    },
    read(ids) {
      const stored = model();
      if (stored === null) return new Map();
      const none = new Float32Array(stored.dimensions);
      const rows = database
        .prepare(
          `SELECT p.id, v.vector FROM points p LEFT JOIN vectors v ON v.rowid = p.rowid
            WHERE p.id IN (SELECT unhex(value, '-') FROM json_each(?)) AND p.has_vector = 1`,
        )
        .all(JSON.stringify(ids));
      return new Map(
        rows.map((row) => [
          pointIdOf(row),
          row.vector instanceof Uint8Array ? fromStoredVector(row.vector) : none,
        ]),
      );
    },
  };
}

/** Loads sqlite-vec's distance functions into this connection. */
export function loadVectorFunctions(database: Database): void {
  const { getLoadablePath } = createRequire(import.meta.url)('sqlite-vec') as typeof import('sqlite-vec');
  database.enableLoadExtension(true);
  database.loadExtension(getLoadablePath());
  database.enableLoadExtension(false);
}

/** @throws SmartForkError MODEL_MISMATCH if the stored vectors are from another model. */
function checkModel(stored: StoredModel, wanted: StoredModel): void {
  if (stored.id === wanted.id && stored.dimensions === wanted.dimensions) return;
  throw new SmartForkError(
    'MODEL_MISMATCH',
    `the store was filled by ${stored.id} (${stored.dimensions} dimensions), not by ${wanted.id} (${wanted.dimensions})`,
    {
      hint: `Use ${stored.id} again (SMART_FORK_MODEL_DIR or embedding.model), or rebuild: smart-fork reindex`,
    },
  );
}

function nearestSql(condition: Condition | null, asOf?: string): string {
  const among = [condition?.sql, asOf && 'p.ended_at <= ?'].filter(Boolean).join(' AND ');
  const only =
    among === ''
      ? ''
      : `AND point IN (SELECT p.rowid FROM points p JOIN sessions s ON s.rowid = p.session WHERE ${among})`;
  return `SELECT s.session_id, s.ended_at, p.id, 1 - n.distance AS score
            FROM (SELECT v.rowid, vec_distance_cosine(vec_int8(v.vector), vec_int8(?)) AS distance
                    FROM (SELECT point FROM signs WHERE type = ? ${only}
                           ORDER BY vec_distance_hamming(vec_bit(signs), vec_bit(?)) LIMIT ?)
                    CROSS JOIN vectors v ON v.rowid = point
                   ORDER BY distance, v.rowid LIMIT ?) n
            JOIN points p ON p.rowid = n.rowid JOIN sessions s ON s.rowid = p.session
           ORDER BY n.distance, p.id`;
}
