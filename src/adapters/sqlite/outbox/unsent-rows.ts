import type { PendingChange } from '../../../ports/outbox.ts';
import { type Database, prepareWrite, type Row } from '../database/open-database.ts';
import { textOf } from '../points/rows.ts';
import { mergeChanges, NOTHING } from './merge-changes.ts';
import { readNotes } from './server-notes.ts';

/** The rows of the outbox, for code that changes sessions. Every method runs inside the caller's transaction. */
export function createUnsentRows(database: Database, now: () => number) {
  // A statement that SQLite may have to roll back on its own (RETURNING, an upsert) makes FTS5 flush its pending terms.
  const readRevision = database.prepare("SELECT value FROM meta WHERE key = 'revision'");
  const writeRevision = prepareWrite(database, "UPDATE meta SET value = ? WHERE key = 'revision'");
  const findSent = database.prepare('SELECT remote_id, content_hash FROM sent WHERE session_id = ?');
  const find = database.prepare('SELECT change FROM unsent WHERE session_id = ?');
  const insert = prepareWrite(
    database,
    'INSERT INTO unsent (revision, change, session_id, since) VALUES (?, ?, ?, ?)',
  );
  const update = prepareWrite(
    database,
    'UPDATE unsent SET revision = ?, change = ?, due = 0 WHERE session_id = ?',
  );
  const put = (remoteId: string, change: Partial<PendingChange>, revision: number): void => {
    const row = find.get(remoteId);
    const merged = JSON.stringify(mergeChanges(row === undefined ? NOTHING : changeOf(row), change));
    if (row === undefined) insert.run(revision, merged, remoteId, now());
    else update.run(revision, merged, remoteId);
  };
  return {
    /** Greater than all earlier revisions. */
    nextRevision(): number {
      const revision = Number(readRevision.get()?.value ?? 0) + 1;
      writeRevision.run(String(revision));
      return revision;
    },
    put,
    /** `put` by local id. */
    record(localId: string, change: Partial<PendingChange>, revision: number): void {
      const row = findSent.get(localId);
      put(row === undefined ? localId : textOf(row, 'remote_id'), change, revision);
    },
    /** False if the session came from the server, so that it is unknown what to send. */
    isRecorded(localId: string, contentHash: string): boolean {
      const row = findSent.get(localId);
      const sent = row?.content_hash ?? '';
      if (row === undefined || sent === '' || sent === contentHash) return true;
      const pending = find.get(textOf(row, 'remote_id'));
      return pending !== undefined && changeOf(pending).texts;
    },
    /** Whether a server may have this machine's copy of a session that is no longer here. Before the first handshake it may have any. */
    mayBeSent: (localId: string): boolean =>
      (findSent.get(localId)?.content_hash ?? '') !== '' || readNotes(database).storeId === null,
  };
}

/** Reads a change; missing fields are false. */
export function changeOf(row: Row): PendingChange {
  return { ...NOTHING, ...(JSON.parse(textOf(row, 'change')) as Partial<PendingChange>) };
}
