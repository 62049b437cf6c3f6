import type { DatabaseSync } from 'node:sqlite';
import type { UnreadFile, UnreadReason } from '../../../domain/session/unread.ts';
import type { Cursor, UnreadNotes } from '../../../ports/index-state.ts';
import { numberOf, textOf } from '../points/rows.ts';

type Guard = <T>(work: () => T) => T;

export function sqliteUnread(database: DatabaseSync, guard: Guard): UnreadNotes {
  const insert = (session: string | null, { path, reason, count }: UnreadFile) =>
    database.prepare('INSERT OR REPLACE INTO unread VALUES (?, ?, ?, ?)').run(path, reason, session, count);
  return {
    unread: () =>
      guard(() =>
        database
          .prepare('SELECT path, reason, count FROM unread')
          .all()
          .map((row) => ({
            path: textOf(row, 'path'),
            reason: textOf(row, 'reason') as UnreadReason,
            count: numberOf(row, 'count'),
          })),
      ),
    unreadable: () =>
      guard(() =>
        database
          .prepare("SELECT session_id FROM unread WHERE reason = 'unreadable' AND session_id IS NOT NULL")
          .all()
          .map((row) => textOf(row, 'session_id')),
      ),
    noteUnreadFiles: (files) =>
      guard(() => {
        database.exec('DELETE FROM unread WHERE session_id IS NULL');
        for (const file of files) insert(null, { ...file, count: 1 });
      }),
    noteUnreadable: (path, sessionId) =>
      guard(() => {
        insert(sessionId, { path, reason: 'unreadable', count: 1 });
      }),
  };
}

/** Replaces what is noted about the lines of a session. Runs within the write of its cursor. */
export function noteLines(database: DatabaseSync, { path, sessionId, progress }: Cursor): void {
  database.prepare('DELETE FROM unread WHERE session_id = ?').run(sessionId);
  const counts: Record<string, number> = { ...progress.skipped };
  for (const { skipped = {} } of Object.values(progress.subagents ?? {}))
    for (const [reason, count] of Object.entries(skipped)) counts[reason] = (counts[reason] ?? 0) + count;
  for (const [reason, count] of Object.entries(counts))
    database.prepare('INSERT OR REPLACE INTO unread VALUES (?, ?, ?, ?)').run(path, reason, sessionId, count);
}
