import { AGENTS } from '../../../domain/agent/agents.ts';
import type { ForkChoice, ForkJournal, ForkWay, TurnCopy } from '../../../ports/fork-journal.ts';
import { openMigrated } from '../database/migrate.ts';
import { type Database, emptyLog, type Row } from '../database/open-database.ts';
import { STATE_SCHEMA } from '../database/schemas.ts';
import { numberOf, numberOrNull, textOf, textOrNull } from '../points/rows.ts';

/** The journal's table in `state.db`. */
export function openSqliteForkJournal(path: string): ForkJournal {
  const { database, guard } = openMigrated(path, STATE_SCHEMA);
  const select = 'SELECT * FROM forks';
  return {
    record: (choice) =>
      guard(() => {
        const insert = database.prepare(
          `INSERT INTO forks (chosen_at, query, rank, session_id, agent, way, turn, result_session_id, copied_bytes, printed)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        );
        const { chosenAt, query, rank, sessionId, agent, way, turn, resultSessionId, copiedBytes } = choice;
        const printed = choice.printed ? 1 : 0;
        const values = [
          chosenAt,
          query,
          rank,
          sessionId,
          agent,
          way,
          turn,
          resultSessionId,
          copiedBytes,
          printed,
        ];
        return Number(insert.run(...values).lastInsertRowid);
      }),
    withdraw: (id) =>
      guard(() => {
        database.prepare('DELETE FROM forks WHERE id = ?').run(id);
      }),
    setResult: (id, sessionId) =>
      guard(() => {
        database.prepare('UPDATE forks SET result_session_id = ? WHERE id = ?').run(sessionId, id);
      }),
    waiting: (since) =>
      guard(() =>
        database
          .prepare(`${select} WHERE result_session_id IS NULL AND chosen_at >= ? ORDER BY id DESC`)
          .all(since)
          .map(choiceOf),
      ),
    list: (limit) =>
      guard(() => database.prepare(`${select} ORDER BY id DESC LIMIT ?`).all(limit).map(choiceOf)),
    forgetQueries: () =>
      guard(() => {
        const { changes } = database
          .prepare('UPDATE forks SET query = NULL, rank = NULL WHERE query IS NOT NULL')
          .run();
        return { count: Number(changes), isOverwritten: emptyLog(database) };
      }),
    close: () => database.close(),
  };
}

/** The copy that a fork at a turn created with this id. */
export function readTurnCopy(database: Database, sessionId: string): TurnCopy | null {
  const row = database
    .prepare("SELECT session_id, copied_bytes FROM forks WHERE result_session_id = ? AND way = 'turn'")
    .get(sessionId);
  return row === undefined
    ? null
    : { parentId: textOf(row, 'session_id'), bytes: numberOrNull(row.copied_bytes) };
}

const WAYS: ForkWay[] = ['native', 'turn', 'inject'];

function choiceOf(row: Row): ForkChoice {
  return {
    id: numberOf(row, 'id'),
    chosenAt: textOf(row, 'chosen_at'),
    query: textOrNull(row.query),
    rank: numberOrNull(row.rank),
    sessionId: textOf(row, 'session_id'),
    agent: AGENTS.find((agent) => agent === row.agent) ?? AGENTS[0],
    way: WAYS.find((way) => way === row.way) ?? 'native',
    printed: numberOf(row, 'printed') === 1,
    turn: numberOrNull(row.turn),
    resultSessionId: textOrNull(row.result_session_id),
    copiedBytes: numberOrNull(row.copied_bytes),
  };
}
