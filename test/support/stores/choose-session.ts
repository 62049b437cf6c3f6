import { join } from 'node:path';
import { openSqliteForkJournal } from '../../../src/adapters/sqlite/state/sqlite-fork-journal.ts';

/** Records in a home that a session was forked after a search. */
export function chooseSession(
  home: string,
  { sessionId, query }: { sessionId: string; query: string },
): void {
  const journal = openSqliteForkJournal(join(home, 'state.db'));
  const chosen = { chosenAt: '2026-07-25T00:00:00.000Z', rank: 2, agent: 'claude', way: 'native' } as const;
  journal.record({ ...chosen, query, sessionId, turn: null, resultSessionId: null, copiedBytes: null });
  journal.close();
}
