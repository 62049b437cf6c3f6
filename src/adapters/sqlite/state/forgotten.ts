import type { Database } from '../database/open-database.ts';

/** A session is noted as forgotten before it is deleted: nothing that was read of it meanwhile is written. */
export function isForgotten(database: Database, sessionId: string): boolean {
  return database.prepare('SELECT 1 FROM forgotten WHERE session_id = ?').get(sessionId) !== undefined;
}
