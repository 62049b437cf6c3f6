import { readMeta, writeMeta } from '../database/migrate.ts';
import { type Database, prepareWrite } from '../database/open-database.ts';
import { numberOf, textOf } from '../points/rows.ts';
import { centreOf, signsOf } from './signs.ts';
import { fromStoredVector } from './stored-vector.ts';

/** Key of the vector that a store's signs are relative to. */
export const CENTRE = 'centre';
/** More vectors do not improve the centre. */
const ENOUGH = 512;

interface Centre {
  numbers: Float32Array;
  /** Number of vectors that it is the mean of. */
  of: number;
}

export function createCentre(database: Database) {
  /** Not cached, because another process may change it at any time. */
  const read = (): Centre | null => {
    const stored = readMeta(database, CENTRE);
    if (stored === null) return null;
    const { of, numbers } = JSON.parse(stored) as { of: number; numbers: string };
    return { of, numbers: new Float32Array(Uint8Array.from(Buffer.from(numbers, 'base64')).buffer) };
  };
  const set = (vectors: Float32Array[], dimensions: number): Float32Array => {
    const numbers = centreOf(vectors, dimensions);
    const text = Buffer.from(numbers.buffer).toString('base64');
    writeMeta(database, CENTRE, JSON.stringify({ of: vectors.length, numbers: text }));
    return numbers;
  };
  return {
    read,
    set,
    /** Recomputes the centre and all signs when a small store has doubled, because its first vectors may come from a single session. */
    refine(dimensions: number): void {
      const of = read()?.of ?? 0;
      if (of >= ENOUGH) return;
      const rows = database
        .prepare('SELECT g.type, g.point, v.vector FROM signs g JOIN vectors v ON v.rowid = g.point')
        .all();
      if (rows.length < 2 * of) return;
      const vectors = rows.map(({ vector }) => fromStoredVector(vector as Uint8Array));
      const numbers = set(vectors, dimensions);
      const update = prepareWrite(database, 'UPDATE signs SET signs = ? WHERE type = ? AND point = ?');
      vectors.forEach((vector, at) => {
        update.run(signsOf(vector, numbers), textOf(rows[at], 'type'), numberOf(rows[at], 'point'));
      });
    },
  };
}
