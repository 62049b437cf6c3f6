import { createRequire } from 'node:module';
import { SmartForkError } from '../../../domain/errors.ts';
import type { TextPayload } from '../../../domain/point/point.ts';
import type { Hit } from '../../../domain/search/search.ts';
import type { StoredModel } from '../../../ports/point-store.ts';
import { readMeta, writeMeta } from '../database/migrate.ts';
import { type Database, prepareWrite } from '../database/open-database.ts';
import { hitOf, textOf } from './rows.ts';
import type { Condition } from './session-filter.ts';

/** The vector tables (sqlite-vec), one for each type of text, created with the first vector. */
export interface VectorTables {
  model(): StoredModel | null;
  /** Creates the tables for a model, or checks that they are this model's. */
  prepare(model: StoredModel): void;
  /** Drops the tables, and with them the model. */
  drop(): void;
  /** A zero vector is in no list. */
  add(type: string, rowid: number, vector: Float32Array): void;
  remove(type: string, rowid: number): void;
  /** Nearest points by cosine, best first, of those that match the condition on the point `p` and its session `s`. */
  nearest(
    type: TextType,
    vector: Float32Array,
    limit: number,
    condition: Condition | null,
    asOf?: string,
  ): Hit[];
  /** Cosine of every chunk of the sessions. */
  scoreChunks(sessionIds: string[], vector: Float32Array | null): Hit[];
  /** By the points' ids. */
  read(ids: string[]): Map<string, Float32Array>;
}

type TextType = TextPayload['type'];
const TYPES: TextType[] = ['chunk', 'intent', 'idea', 'span'];

/** The limit of sqlite-vec. */
const MAX_NEIGHBOURS = 4096;
/** Vectors stored together. From each block sqlite-vec picks the best of `k` one by one: in large blocks that takes longer than comparing. */
const BLOCK = 64;

export function createVectorTables(database: Database): VectorTables {
  let loaded = false;
  const load = () => {
    if (loaded) return;
    const { getLoadablePath } = createRequire(import.meta.url)('sqlite-vec') as typeof import('sqlite-vec');
    database.enableLoadExtension(true);
    database.loadExtension(getLoadablePath());
    database.enableLoadExtension(false);
    loaded = true;
  };
  const model = (): StoredModel | null => {
    const stored = readMeta(database, 'model');
    return stored === null ? null : (JSON.parse(stored) as StoredModel);
  };
  /** Another process may create or drop the tables at any time, so no answer is cached. */
  const ready = (): boolean => {
    if (model() === null) return false;
    load();
    return true;
  };
  /** Stores of older versions have no tables for ideas and spans until something is embedded. */
  const has = (type: string): boolean =>
    ready() &&
    database.prepare('SELECT 1 FROM sqlite_master WHERE name = ?').get(tableOf(type)) !== undefined;

  return {
    model,
    prepare(wanted) {
      const stored = model();
      if (stored !== null) checkModel(stored, wanted);
      load();
      for (const type of TYPES.filter((one) => !has(one))) {
        database.exec(
          `CREATE VIRTUAL TABLE IF NOT EXISTS ${tableOf(type)} USING vec0 (vector float[${Math.trunc(wanted.dimensions)}] distance_metric = cosine, chunk_size = ${BLOCK})`,
        );
      }
      if (stored === null)
        writeMeta(database, 'model', JSON.stringify({ id: wanted.id, dimensions: wanted.dimensions }));
    },
    drop() {
      for (const type of TYPES.filter(has)) database.exec(`DROP TABLE ${tableOf(type)}`);
      prepareWrite(database, "DELETE FROM meta WHERE key = 'model'").run();
    },
    add(type, rowid, vector) {
      prepareWrite(database, `DELETE FROM ${tableOf(type)} WHERE rowid = ?`).run(BigInt(rowid));
      if (!hasDirection(vector)) return;
      prepareWrite(database, `INSERT INTO ${tableOf(type)} (rowid, vector) VALUES (?, ?)`).run(
        BigInt(rowid),
        bytesOf(vector),
      );
    },
    remove(type, rowid) {
      if (has(type))
        prepareWrite(database, `DELETE FROM ${tableOf(type)} WHERE rowid = ?`).run(BigInt(rowid));
    },
    nearest(type, vector, limit, condition, asOf) {
      if (!has(type)) return [];
      const most = Math.min(limit, MAX_NEIGHBOURS);
      const params = [...(condition?.params ?? []), ...(asOf ? [asOf] : [])];
      return database
        .prepare(nearestSql(type, condition, asOf))
        .all(bytesOf(vector), most, ...params)
        .map(hitOf);
    },
    scoreChunks(sessionIds, vector) {
      if (vector === null || !ready()) return [];
      return database
        .prepare(
          `SELECT s.session_id, s.ended_at, p.id, 1 - vec_distance_cosine(v.vector, ?) AS score
             FROM sessions s JOIN points p ON p.session = s.rowid AND p.type = 'chunk'
             JOIN chunk_vectors v ON v.rowid = p.rowid
            WHERE s.session_id IN (SELECT value FROM json_each(?)) AND p.has_vector = 1`,
        )
        .all(bytesOf(vector), JSON.stringify(sessionIds))
        .map(hitOf);
    },
    read(ids) {
      if (!ready()) return new Map();
      const wanted = JSON.stringify(ids);
      const rows = TYPES.filter(has).flatMap((type) =>
        database
          .prepare(
            `SELECT p.id, v.vector FROM points p LEFT JOIN ${tableOf(type)} v ON v.rowid = p.rowid
              WHERE p.id IN (SELECT value FROM json_each(?)) AND p.type = '${type}' AND p.has_vector = 1`,
          )
          .all(wanted),
      );
      const none = new Float32Array(model()?.dimensions ?? 0);
      return new Map(rows.map((row) => [textOf(row, 'id'), floatsOf(row.vector) ?? none]));
    },
  };
}

/** @throws SmartForkError STORE_INCOMPATIBLE if the stored vectors are another model's. */
function checkModel(stored: StoredModel, wanted: StoredModel): void {
  if (stored.id === wanted.id && stored.dimensions === wanted.dimensions) return;
  throw new SmartForkError(
    'STORE_INCOMPATIBLE',
    `the store was filled by ${stored.id} (${stored.dimensions} dimensions), not by ${wanted.id} (${wanted.dimensions})`,
    {
      hint: `Use ${stored.id} again (SMART_FORK_MODEL_DIR or embedding.model), or rebuild: smart-fork reindex`,
    },
  );
}

function nearestSql(type: TextType, condition: Condition | null, asOf?: string): string {
  const among = [condition?.sql, asOf && 'p.ended_at <= ?'].filter(Boolean).join(' AND ');
  const only =
    among === ''
      ? ''
      : `AND rowid IN (SELECT p.rowid FROM points p JOIN sessions s ON s.rowid = p.session
           WHERE p.type = '${type}' AND p.has_vector = 1 AND ${among})`;
  return `SELECT s.session_id, s.ended_at, p.id, 1 - n.distance AS score
            FROM (SELECT rowid, distance FROM ${tableOf(type)} WHERE vector MATCH ? AND k = ? ${only}) n
            JOIN points p ON p.rowid = n.rowid JOIN sessions s ON s.rowid = p.session
           ORDER BY n.distance, p.id`;
}

/** The cosine with zero or NaN is undefined; sqlite-vec would rank it first. */
function hasDirection(vector: Float32Array): boolean {
  return vector.every(Number.isFinite) && vector.some((value) => value !== 0);
}

function tableOf(type: string): string {
  return `${type}_vectors`;
}

/** A copy, since SQLite's bytes may not be aligned. Null for a zero vector, which is not stored. */
function floatsOf(value: unknown): Float32Array | null {
  return value instanceof Uint8Array ? new Float32Array(value.slice().buffer) : null;
}

function bytesOf(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}
