import type { SuggestionJournal } from '../../../ports/suggest/suggestion-journal.ts';
import { openMigrated } from '../database/migrate.ts';
import { inTransaction, prepareWrite } from '../database/open-database.ts';
import { STATE_SCHEMA } from '../database/schemas.ts';
import { textOrNull } from '../points/rows.ts';

/** Hardly any session is resumed later than this. */
const KEPT_MS = 90 * 24 * 60 * 60 * 1000;

/** The journal's table in `state.db`. Waits for other processes at most `waitMs`. */
export function openSuggestionJournal(path: string, waitMs: number): SuggestionJournal & { close(): void } {
  const { database, guard } = openMigrated(path, STATE_SCHEMA, waitMs);
  const isClaimed = database.prepare('SELECT 1 FROM suggestions WHERE session_id = ? AND moment = ?');
  return {
    claim(sessionId, moment, at) {
      if (isClaimed.get(sessionId, moment) !== undefined) return null;
      return guard(() =>
        inTransaction(database, () => {
          if (isClaimed.get(sessionId, moment) !== undefined) return null;
          const oldest = new Date(Date.parse(at) - KEPT_MS).toISOString();
          prepareWrite(database, 'DELETE FROM suggestions WHERE claimed_at < ?').run(oldest);
          prepareWrite(database, 'INSERT INTO suggestions VALUES (?, ?, ?, NULL)').run(sessionId, moment, at);
          return database
            .prepare('SELECT suggested_id FROM suggestions WHERE session_id = ?')
            .all(sessionId)
            .flatMap(({ suggested_id }) => textOrNull(suggested_id) ?? []);
        }),
      );
    },
    note: (sessionId, moment, suggestedId) =>
      guard(() => {
        const sql = 'UPDATE suggestions SET suggested_id = ? WHERE session_id = ? AND moment = ?';
        prepareWrite(database, sql).run(suggestedId, sessionId, moment);
      }),
    close: () => database.close(),
  };
}
