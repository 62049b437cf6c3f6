import { join } from 'node:path';
import { openSqliteForkJournal } from '../../../src/adapters/sqlite/state/sqlite-fork-journal.ts';
import type { ForkChoice } from '../../../src/ports/fork-journal.ts';

/** Records in a home that a session was forked, after a search if there is a query. */
export function chooseSession(home: string, choice: Partial<ForkChoice> & { sessionId: string }): void {
  const journal = openSqliteForkJournal(join(home, 'state.db'));
  journal.record({
    chosenAt: '2026-07-25T00:00:00.000Z',
    query: null,
    rank: choice.query == null ? null : 2,
    agent: 'claude',
    way: 'native',
    printed: false,
    turn: null,
    resultSessionId: null,
    copiedBytes: null,
    ...choice,
  });
  journal.close();
}
