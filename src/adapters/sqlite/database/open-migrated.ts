import { migrate } from './migrate.ts';
import { type Database, openDatabase, storeUnavailable } from './open-database.ts';

/** Turns what SQLite throws into STORE_UNAVAILABLE, naming the file. */
export type Guard = <T>(work: () => T) => T;

/**
 * Opens a database of ours, at its newest version.
 * @throws SmartForkError STORE_UNAVAILABLE, STORE_INCOMPATIBLE
 */
export function openMigrated(path: string, steps: string[]): { database: Database; guard: Guard } {
  const database = openDatabase(path);
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
