import { migrate } from './migrate.ts';
import { type Database, openDatabase, storeUnavailable } from './open-database.ts';

/** Turns SQLite's errors into STORE_UNAVAILABLE, with the file's name. */
export type Guard = <T>(work: () => T) => T;

/**
 * Opens one of our databases and migrates it.
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
