import { getLoadablePath } from 'sqlite-vec';
import { INDEX_STEPS } from '../../../src/adapters/sqlite/database/migration-steps.ts';
import { openDatabase } from '../../../src/adapters/sqlite/database/open-database.ts';

/** The first version of an index with `vectors` and `signs`. */
const VECTORS_AND_SIGNS = 7;

/** Moves an index's vectors to where older versions stored them: a table of sqlite-vec for each type of text. */
export function makeOlderVectors(path: string): void {
  if (INDEX_STEPS.length < VECTORS_AND_SIGNS) throw new Error('no such version');
  const database = openDatabase(path);
  database.enableLoadExtension(true);
  database.loadExtension(getLoadablePath());
  const model = database
    .prepare("SELECT value ->> '$.dimensions' AS dimensions FROM meta WHERE key = 'model'")
    .get();
  for (const { type } of database.prepare('SELECT DISTINCT type FROM signs').all()) {
    database.exec(`
      CREATE VIRTUAL TABLE ${type}_vectors USING vec0 (vector float[${model?.dimensions}] distance_metric = cosine, chunk_size = 64);
      INSERT INTO ${type}_vectors (rowid, vector)
        SELECT v.rowid, v.vector FROM signs g JOIN vectors v ON v.rowid = g.point WHERE g.type = '${type}';
    `);
  }
  database.exec(`
    DROP TABLE vectors; DROP TABLE signs; DELETE FROM meta WHERE key = 'centre';
    PRAGMA user_version = ${VECTORS_AND_SIGNS - 1};
  `);
  database.close();
}
