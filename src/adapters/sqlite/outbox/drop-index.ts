import { existsSync, rmSync } from 'node:fs';
import { SmartForkError } from '../../../domain/errors.ts';
import { isDamaged } from '../database/open-database.ts';
import { openIndex, statePathOf } from '../database/open-index.ts';
import { parkOutbox } from './parked-outbox.ts';

/**
 * Deletes the local store's file. What the server has yet to be told, and what it has, is parked in `state.db` first; the next index
 * takes it over. A file that cannot be read is deleted as it is.
 */
export function dropIndex(path: string): void {
  if (!existsSync(path)) return;
  park(path);
  // The file itself first: SQLite deletes a log whose file is empty.
  for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true });
}

function park(path: string): void {
  try {
    const { database, guard } = openIndex(path);
    try {
      guard(() => parkOutbox(database, statePathOf(path)));
    } finally {
      database.close();
    }
  } catch (error) {
    if (!(error instanceof SmartForkError) || !isUnreadable(error)) throw error;
  }
}

/** For good: a file that is locked, or a full disk, is another matter. */
function isUnreadable({ code, message }: SmartForkError): boolean {
  return code === 'STORE_INCOMPATIBLE' || isDamaged(message);
}
