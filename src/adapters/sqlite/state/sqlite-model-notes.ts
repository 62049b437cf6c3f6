import type { Idea } from '../../../domain/session/ideas.ts';
import type { ModelNotes } from '../../../ports/extractor/model-notes.ts';
import type { Guard } from '../database/migrate.ts';
import { type Database, inTransaction, prepareWrite } from '../database/open-database.ts';
import { numberOf, textOf } from '../points/rows.ts';
import { isForgotten } from './is-forgotten.ts';

/** Ideas found by rules have lower indexes. */
const FIRST_INDEX = 100_000;

const COUNT = `INSERT INTO model_use (day, calls, tokens, ideas, dropped) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET calls = calls + excluded.calls, tokens = max(0, tokens + excluded.tokens),
    ideas = ideas + excluded.ideas, dropped = dropped + excluded.dropped`;

export function createModelNotes(database: Database, guard: Guard): ModelNotes {
  const modelIdeas = (sessionId: string) =>
    guard(() =>
      database
        .prepare('SELECT idea FROM model_ideas WHERE session_id = ? ORDER BY position')
        .all(sessionId)
        .map((row) => JSON.parse(textOf(row, 'idea')) as Idea),
    );
  const modelUse = (day: string) =>
    guard(() => {
      const row = database.prepare('SELECT * FROM model_use WHERE day = ?').get(day);
      const of = (column: string) => numberOf(row, column);
      return { calls: of('calls'), tokens: of('tokens'), ideas: of('ideas'), dropped: of('dropped') };
    });
  return {
    modelIdeas,
    modelUse,
    readPieces: (sessionId) =>
      guard(() => {
        const rows = database.prepare('SELECT hash FROM model_pieces WHERE session_id = ?').all(sessionId);
        return new Set(rows.map((row) => textOf(row, 'hash')));
      }),
    notePiece: (sessionId, hash, ideas, { day, dropped }) =>
      guard(() =>
        inTransaction(database, () => {
          if (isForgotten(database, sessionId)) return;
          const noted = prepareWrite(database, 'INSERT OR IGNORE INTO model_pieces VALUES (?, ?)');
          if (Number(noted.run(sessionId, hash).changes) === 0) return;
          const first = (modelIdeas(sessionId).at(-1)?.index ?? FIRST_INDEX - 1) + 1;
          const insert = prepareWrite(database, 'INSERT INTO model_ideas VALUES (?, ?, ?)');
          for (const [at, idea] of ideas.entries())
            insert.run(sessionId, first + at, JSON.stringify({ ...idea, index: first + at }));
          prepareWrite(database, COUNT).run(day, 0, 0, ideas.length, dropped);
        }),
      ),
    bookCall: (day, tokens, { callsPerDay, tokensPerDay }) =>
      guard(() =>
        inTransaction(database, () => {
          const used = modelUse(day);
          if (used.calls + 1 > callsPerDay || used.tokens + tokens > tokensPerDay) return false;
          prepareWrite(database, COUNT).run(day, 1, tokens, 0, 0);
          return true;
        }),
      ),
    correctTokens: (day, difference) =>
      guard(() => {
        prepareWrite(database, COUNT).run(day, 0, difference, 0, 0);
      }),
  };
}
