import { packPayload } from '../points/pack-payload.ts';
import { toStoredVector } from '../vectors/stored-vector.ts';
import type { Database } from './open-database.ts';

const PAGE = 500;

/** Compresses the payloads of an older store, and stores its vectors with 8 bits per number. What SQL compares gets its own columns. */
export function shrinkPoints(database: Database): void {
  database.exec(`
    ALTER TABLE points ADD COLUMN kind TEXT;
    ALTER TABLE points ADD COLUMN is_open INTEGER;
    UPDATE points SET kind = payload ->> '$.kind', is_open = payload ->> '$.is_open' WHERE type = 'idea';
  `);
  replaceEach(database, 'points', 'payload', (json) => packPayload(String(json)));
  replaceEach(database, 'vectors', 'vector', (bytes) => {
    // A copy, since SQLite's bytes may not be aligned.
    const floats = new Float32Array(Uint8Array.from(bytes as Uint8Array).buffer);
    return toStoredVector(floats) ?? new Uint8Array(floats.length);
  });
}

function replaceEach(
  database: Database,
  table: string,
  column: string,
  change: (value: unknown) => Uint8Array,
): void {
  const read = database.prepare(
    `SELECT rowid, ${column} AS value FROM ${table} WHERE rowid > ? ORDER BY rowid LIMIT ${PAGE}`,
  );
  const write = database.prepare(`UPDATE ${table} SET ${column} = ? WHERE rowid = ?`);
  for (let last = 0, rows = read.all(last); rows.length > 0; rows = read.all(last)) {
    for (const { rowid, value } of rows) {
      last = Number(rowid);
      write.run(change(value), last);
    }
  }
}
