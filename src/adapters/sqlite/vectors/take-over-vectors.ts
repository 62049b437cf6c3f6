import { readMeta } from '../database/migrate.ts';
import { type Database, inTransaction, type Row } from '../database/open-database.ts';
import { numberOf } from '../points/rows.ts';
import { floatsOf } from './centre.ts';
import { createVectorTables, loadVectorFunctions, type PointVector } from './vector-tables.ts';

const SAMPLE = 1024;

/** Moves vectors out of the sqlite-vec tables of older versions, one table for each type of text. */
export function takeOverVectors(database: Database): void {
  if (tablesOf(database).length === 0) return;
  loadVectorFunctions(database);
  inTransaction(database, () => {
    const vectors = createVectorTables(database);
    const model = JSON.parse(readMeta(database, 'model') ?? 'null');
    for (const table of tablesOf(database)) {
      const rows = `SELECT rowid AS point, vector FROM ${table}`;
      const first = database.prepare(`${rows} LIMIT ${SAMPLE}`).all();
      if (model !== null) vectors.prepare(model, first.map(vectorOf));
      const type = table.slice(0, -'_vectors'.length);
      vectors.add(vectorsOf(database.prepare(rows).iterate(), type));
      database.exec(`DROP TABLE ${table}`);
    }
  });
}

function* vectorsOf(rows: Iterable<Row>, type: string): Generator<PointVector> {
  for (const row of rows) yield { type, point: numberOf(row, 'point'), vector: vectorOf(row) };
}

function vectorOf({ vector }: Row): Float32Array {
  return floatsOf(vector as Uint8Array);
}

/** Chunks come first because there are most of them: the centre of their vectors becomes the store's. */
function tablesOf(database: Database): string[] {
  return database
    .prepare("SELECT name FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL TABLE%USING vec0%' ORDER BY name")
    .all()
    .map(({ name }) => String(name));
}
