import { SmartForkError } from '../../../domain/errors.ts';
import { nodeCrypto } from '../../../domain/text/hash.ts';
import {
  canWrite,
  type Database,
  inTransaction,
  openDatabase,
  prepareWrite,
  storeUnavailable,
} from './open-database.ts';

/** Turns SQLite's errors into STORE_UNAVAILABLE, with the file's name. */
export type Guard = <T>(work: () => T) => T;

/**
 * Opens one of our databases and migrates it.
 * @throws SmartForkError STORE_UNAVAILABLE, STORE_INCOMPATIBLE
 */
export function openMigrated(
  path: string,
  steps: string[],
  waitMs?: number,
): { database: Database; guard: Guard } {
  const database = openDatabase(path, waitMs);
  const guard: Guard = (work) => {
    try {
      return work();
    } catch (error) {
      throw storeUnavailable(path, error);
    }
  };
  guard(() => migrate(database, path, steps));
  return { database, guard };
}

/**
 * Migrates a database to the newest version; refuses a newer program's database. An older database that is read-only stays as it is:
 * reading needs none of the newer tables and columns.
 */
export function migrate(database: Database, path: string, steps: string[]): void {
  const present = versionOf(database);
  if (present === steps.length) return;
  if (present > 0 && present < steps.length && !canWrite(path)) return;
  inTransaction(database, () => {
    const version = refuseNewer(database, path, steps);
    for (const step of steps.slice(version)) database.exec(step);
    if (version === 0) {
      prepareWrite(database, 'INSERT INTO meta VALUES (?, ?)').run('id', nodeCrypto().randomUUID());
    }
    database.exec(`PRAGMA user_version = ${steps.length}`);
  });
}

/** Returns the database's version. @throws SmartForkError STORE_INCOMPATIBLE if a newer program wrote it. */
export function refuseNewer(database: Database, path: string, steps: string[]): number {
  const version = versionOf(database);
  if (version <= steps.length) return version;
  throw new SmartForkError(
    'STORE_INCOMPATIBLE',
    `${path} was written by a newer smart-fork (schema ${version})`,
    { hint: 'Update smart-fork: npm install -g smart-fork@latest' },
  );
}

function versionOf(database: Database): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version ?? 0);
}

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
