import { existsSync } from 'node:fs';
import type { Selection } from '../../../domain/search/selections.ts';
import { openReadOnly } from '../database/open-database.ts';
import { textOf } from '../points/rows.ts';

/** Every search compares its words with those of all selections. */
const MAX_SELECTIONS = 200;
/** Short, because a search is waiting. */
const WAIT_MS = 100;

/** Sessions forked after searches, newest first, from `state.db`. Empty if it is unreadable. */
export function readSelections(path: string): Selection[] {
  if (!existsSync(path)) return [];
  try {
    const database = openReadOnly(path, WAIT_MS);
    try {
      return database
        .prepare(
          'SELECT query, session_id, chosen_at FROM forks WHERE query IS NOT NULL ORDER BY id DESC LIMIT ?',
        )
        .all(MAX_SELECTIONS)
        .map((row) => ({
          query: textOf(row, 'query'),
          sessionId: textOf(row, 'session_id'),
          chosenAt: textOf(row, 'chosen_at'),
        }));
    } finally {
      database.close();
    }
  } catch {
    // Damaged or locked: `doctor` reports that, and a search needs only the index.
    return [];
  }
}
