import type { Database } from '../database/open-database.ts';

/** A session is recorded as forgotten before it is deleted, so that a concurrent indexer does not write it again. */
export function isForgotten(database: Database, sessionId: string): boolean {
  return database.prepare('SELECT 1 FROM forgotten WHERE session_id = ?').get(sessionId) !== undefined;
}
