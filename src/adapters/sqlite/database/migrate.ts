import { writeSync } from 'node:fs';
import { isatty } from 'node:tty';
import { SmartForkError } from '../../../domain/errors.ts';
import { nodeCrypto } from '../../../domain/text/hash.ts';
import {
  type Database,
  inTransaction,
  keepVersion,
  newerProgram,
  openDatabase,
  prepareWrite,
  storeUnavailable,
  versionOf,
} from './open-database.ts';
import type { Schema } from './schemas.ts';

/** Turns SQLite's errors into STORE_UNAVAILABLE, with the file's name. */
export type Guard = <T>(work: () => T) => T;

/** Updating a large index takes half a minute, and others wait for it. */
const UPDATE_WAIT_MS = 120_000;
/** The update of a larger file takes longer than a second. */
const LARGE_BYTES = 50_000_000;

/**
 * Opens one of our databases and migrates it.
 * @throws SmartForkError STORE_UNAVAILABLE, STORE_INCOMPATIBLE
 */
export function openMigrated(
  path: string,
  schema: Schema,
  waitMs?: number,
): { database: Database; guard: Guard } {
  const database = openDatabase(path, waitMs);
  const guard: Guard = (work) => {
    try {
      return work();
    } catch (error) {
      throw newerProgram(database) ?? storeUnavailable(path, error);
    }
  };
  try {
    guard(() => migrate(database, path, schema, waitMs));
    keepVersion(database, newestOf(schema));
    return { database, guard };
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Migrates a database to the newest version. */
function migrate(database: Database, path: string, schema: Schema, waitMs = UPDATE_WAIT_MS): void {
  const found = versionOf(database);
  if (found === newestOf(schema)) return;
  const pragma = (name: string) => Number(Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0]);
  const usualMs = pragma('busy_timeout');
  database.exec(`PRAGMA busy_timeout = ${waitMs}`);
  const isLarge = pragma('page_count') * pragma('page_size') > LARGE_BYTES;
  if (found > 0 && found < newestOf(schema) && isLarge && isatty(2))
    writeSync(2, 'Updating the index for this version of smart-fork …\n');
  inTransaction(database, () => {
    const version = checkVersion(database, path, schema);
    for (const step of schema.steps.slice(version === 0 ? 0 : version - schema.first + 1))
      if (typeof step === 'string') database.exec(step);
      else step(database);
    if (version === 0) {
      prepareWrite(database, 'INSERT INTO meta VALUES (?, ?)').run('id', nodeCrypto().randomUUID());
    }
    database.exec(`PRAGMA user_version = ${newestOf(schema)}`);
  });
  database.exec(`PRAGMA busy_timeout = ${usualMs}`);
}

export function newestOf({ first, steps }: Schema): number {
  return first + steps.length - 1;
}

/**
 * Returns the database's version; 0 for an empty one.
 * @throws SmartForkError STORE_INCOMPATIBLE if a newer program wrote it, or one that was never released
 */
export function checkVersion(database: Database, path: string, schema: Schema): number {
  const version = versionOf(database);
  if (version > newestOf(schema)) {
    throw new SmartForkError(
      'STORE_INCOMPATIBLE',
      `${path} was written by a newer smart-fork (schema ${version})`,
      { hint: 'Update smart-fork: npm install -g smart-fork@latest' },
    );
  }
  if (version > 0 && version < schema.first) {
    throw new SmartForkError(
      'STORE_INCOMPATIBLE',
      `${path} was written by a smart-fork before 0.1.0 (schema ${version})`,
      { hint: 'Delete it, then run smart-fork index' },
    );
  }
  return version;
}

/** Key in `meta` for the name of the points' chunk sizes. */
export const CHUNKING = 'chunking';

export function readMeta(database: Database, key: string): string | null {
  const value = database.prepare('SELECT value FROM meta WHERE key = ?').get(key)?.value;
  return typeof value === 'string' ? value : null;
}

export function writeMeta(database: Database, key: string, value: string): void {
  prepareWrite(
    database,
    'INSERT INTO meta VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
  ).run(key, value);
}
