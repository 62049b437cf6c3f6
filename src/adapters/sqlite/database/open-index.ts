import { dirname, join } from 'node:path';
import { takeOverOutbox } from '../outbox/take-over-outbox.ts';
import { takeOverVectors } from '../vectors/take-over-vectors.ts';
import { type Guard, openMigrated } from './migrate.ts';
import { INDEX_STEPS } from './migration-steps.ts';
import { canWrite, type Database } from './open-database.ts';

/**
 * Opens the local store's file. The outbox of an older version, in `state.db`, is taken over before anything is written.
 * @throws SmartForkError STORE_UNAVAILABLE, STORE_INCOMPATIBLE
 */
export function openIndex(path: string): { database: Database; guard: Guard } {
  const opened = openMigrated(path, INDEX_STEPS);
  const { database, guard } = opened;
  try {
    if (canWrite(path)) {
      guard(() => takeOverOutbox(database, statePathOf(path)));
      guard(() => takeOverVectors(database));
    }
    return opened;
  } catch (error) {
    database.close();
    throw error;
  }
}

function statePathOf(indexPath: string): string {
  return join(dirname(indexPath), 'state.db');
}
