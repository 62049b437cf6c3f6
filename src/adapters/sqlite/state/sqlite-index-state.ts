import type {
  Cursor,
  FileStamp,
  ForgottenSession,
  IndexState,
  ReadingProgress,
} from '../../../ports/index-state.ts';
import { openMigrated, readMeta, writeMeta } from '../database/migrate.ts';
import { emptyLog, inTransaction, prepareWrite, type Row } from '../database/open-database.ts';
import { STATE_SCHEMA } from '../database/schemas.ts';
import { numberOf, textOf, textOrNull } from '../points/rows.ts';
import { readTurnCopy } from './sqlite-fork-journal.ts';
import { createModelNotes } from './sqlite-model-notes.ts';
import { noteLines, sqliteUnread } from './sqlite-unread.ts';
import { sqliteUsage } from './sqlite-usage.ts';

type SessionTable =
  | 'unread'
  | 'cursors'
  | 'forgotten'
  | 'requests'
  | 'counted_files'
  | 'model_ideas'
  | 'model_pieces';
/** Tables whose rows are deleted with a forgotten session. */
const OF_SESSION = ['unread', 'cursors', 'requests', 'counted_files', 'model_ideas', 'model_pieces'] as const;

/** This machine's notes about its transcripts, in one SQLite file. */
export function openSqliteIndexState(path: string): IndexState {
  const { database, guard } = openMigrated(path, STATE_SCHEMA);
  const deleteFrom = (table: SessionTable, ids: string[]): void =>
    guard(() => {
      database
        .prepare(`DELETE FROM ${table} WHERE session_id IN (SELECT value FROM json_each(?))`)
        .run(JSON.stringify(ids));
    });
  return {
    get: (transcript) =>
      guard(() => {
        const row = database.prepare('SELECT * FROM cursors WHERE path = ?').get(transcript);
        return row === undefined ? null : cursorOf(row);
      }),
    ofSession: (sessionId) =>
      guard(() => {
        const row = database.prepare('SELECT * FROM cursors WHERE session_id = ?').get(sessionId);
        return row === undefined ? null : cursorOf(row);
      }),
    stamps: (storeId, chunking) =>
      guard(() => {
        const rows = database
          .prepare(
            'SELECT path, size, mtime_ms, inode, name FROM cursors WHERE store_id = ? AND chunking = ?',
          )
          .all(storeId, chunking);
        return new Map(rows.map((row) => [textOf(row, 'path'), stampOf(row)]));
      }),
    sessionsRead: (storeId, chunking) =>
      guard(() => {
        const rows = database
          .prepare('SELECT session_id FROM cursors WHERE store_id = ?1 AND chunking = coalesce(?2, chunking)')
          .all(storeId, chunking ?? null);
        return new Set(rows.map((row) => textOf(row, 'session_id')));
      }),
    indexedAt: () =>
      guard(() => {
        const rows = database
          .prepare("SELECT session_id, progress ->> '$.indexedAt' AS at FROM cursors WHERE at IS NOT NULL")
          .all();
        return new Map(rows.map((row) => [textOf(row, 'session_id'), textOf(row, 'at')]));
      }),
    put: (cursors) =>
      guard(() =>
        inTransaction(database, () => {
          const put = database.prepare(
            'INSERT OR REPLACE INTO cursors VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
          );
          const dropOthers = prepareWrite(database, 'DELETE FROM cursors WHERE session_id = ? AND path <> ?');
          for (const cursor of cursors) {
            dropOthers.run(cursor.sessionId, cursor.path);
            put.run(...valuesOf(cursor));
            noteLines(database, cursor);
          }
        }),
      ),
    ...createModelNotes(database, guard),
    forgetSessions(ids, chosen = ids) {
      for (const table of OF_SESSION) deleteFrom(table, ids);
      guard(() =>
        database
          .prepare(
            `DELETE FROM suggestions WHERE session_id IN (SELECT value FROM json_each(?1))
               OR suggested_id IN (SELECT value FROM json_each(?1))`,
          )
          .run(JSON.stringify(ids)),
      );
      guard(() =>
        database
          .prepare(
            'UPDATE forks SET query = NULL, rank = NULL WHERE session_id IN (SELECT value FROM json_each(?))',
          )
          .run(JSON.stringify(chosen)),
      );
      return guard(() => emptyLog(database));
    },
    forgotten: () => guard(() => database.prepare('SELECT * FROM forgotten').all().map(forgottenOf)),
    noteForgotten: (ids, at, storeId) =>
      guard(() => {
        database
          .prepare(
            `INSERT INTO forgotten SELECT value, ?, ? FROM json_each(?) WHERE true
               ON CONFLICT DO UPDATE SET store_id = coalesce(excluded.store_id, store_id)`,
          )
          .run(at, storeId, JSON.stringify(ids));
      }),
    dropForgotten: (ids) => deleteFrom('forgotten', ids),
    forgetAll: () => guard(() => database.exec('DELETE FROM cursors')),
    withFingerprint: (fingerprint) =>
      guard(() =>
        database
          .prepare('SELECT path, session_id FROM cursors WHERE fingerprint = ?')
          .all(fingerprint)
          .map((row) => ({ path: textOf(row, 'path'), sessionId: textOf(row, 'session_id') })),
      ),
    ...sqliteUsage(database, guard),
    ...sqliteUnread(database, guard),
    copyOf: (sessionId) => guard(() => readTurnCopy(database, sessionId)),
    lastSynced: () => guard(() => readMeta(database, 'last_synced')),
    setLastSynced: (time) => guard(() => writeMeta(database, 'last_synced', time)),
    appliedRules: () => guard(() => readMeta(database, 'privacy_rules')),
    setAppliedRules: (name) => guard(() => writeMeta(database, 'privacy_rules', name)),
    close: () => database.close(),
  };
}

function valuesOf(cursor: Cursor) {
  return [
    cursor.path,
    cursor.sessionId,
    cursor.storeId,
    cursor.chunking,
    cursor.size,
    cursor.mtimeMs,
    versionText(cursor),
    cursor.name,
    cursor.contentHash,
    cursor.progress.fingerprint,
    JSON.stringify({ ...cursor.progress, indexedAt: cursor.indexedAt }),
  ] as const;
}

function cursorOf(row: Row): Cursor {
  return {
    path: textOf(row, 'path'),
    sessionId: textOf(row, 'session_id'),
    storeId: textOf(row, 'store_id'),
    chunking: textOf(row, 'chunking'),
    contentHash: textOf(row, 'content_hash'),
    ...stampOf(row),
    progress: JSON.parse(textOf(row, 'progress')) as ReadingProgress,
  };
}

function forgottenOf(row: Row): ForgottenSession {
  return {
    sessionId: textOf(row, 'session_id'),
    forgottenAt: textOf(row, 'forgotten_at'),
    storeId: textOrNull(row.store_id),
  };
}

function stampOf(row: Row): FileStamp {
  const [inode, ...revision] = textOf(row, 'inode').split(' ');
  return {
    size: numberOf(row, 'size'),
    mtimeMs: numberOf(row, 'mtime_ms'),
    inode: Number(inode),
    revision: revision.length > 0 ? revision.join(' ') : undefined,
    name: textOrNull(row.name),
  };
}

/** The column `inode`: the inode and, after a space, the revision. */
function versionText({ inode, revision }: Cursor): string {
  return revision === undefined ? String(inode) : `${inode} ${revision}`;
}
