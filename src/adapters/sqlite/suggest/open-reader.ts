import type { PointStore } from '../../../ports/point-store.ts';
import { newestOf } from '../database/migrate.ts';
import { openReadOnly } from '../database/open-database.ts';
import { INDEX_SCHEMA } from '../database/schemas.ts';
import { listMemory } from '../memory/list-memory.ts';
import { listSessions } from '../points/list-sessions.ts';

/**
 * Opens the local store for listing within milliseconds: without migrating it, writing, or waiting for other processes longer than
 * `waitMs`. Null if another version wrote it.
 */
export function openStoreReader(
  path: string,
  waitMs: number,
): (Pick<PointStore, 'list' | 'listMemory'> & { close(): void }) | null {
  const database = openReadOnly(path, waitMs);
  if (database.prepare('PRAGMA user_version').get()?.user_version !== newestOf(INDEX_SCHEMA)) {
    database.close();
    return null;
  }
  return {
    list: async (filter, limit, cursor) => listSessions(database, UNTOLD, filter, limit, cursor),
    listMemory: (async (type, filter, limit) =>
      listMemory(database, UNTOLD, type, filter, limit)) as PointStore['listMemory'],
    close: () => database.close(),
  };
}

/** A suggestion has no place for notices; the next search tells what is damaged. */
const UNTOLD = { note: () => undefined };
