import type { PendingChange } from '../../../ports/outbox.ts';
import { type Database, prepareWrite, type Row } from '../database/open-database.ts';
import { numberOf, textOf } from '../points/rows.ts';
import { mergeChanges, NOTHING } from './merge-changes.ts';
import { readNotes } from './server-notes.ts';

/** The rows of the outbox, for whoever changes a session. Every method runs inside a transaction of the caller's. */
export interface UnsentRows {
  /** Above all revisions before it. */
  nextRevision(): number;
  /** @param remoteId the session's id on the server. */
  put(remoteId: string, change: Partial<PendingChange>, revision: number): void;
  /** `put`, by the id in the local store. */
  record(localId: string, change: Partial<PendingChange>, revision: number): void;
  recordRemoval(localId: string, revision: number): void;
  /** Whether the server has this machine's copy. */
  isSent(localId: string): boolean;
}

export function createUnsentRows(database: Database, now: () => number): UnsentRows {
  const next = database.prepare(
    "UPDATE meta SET value = CAST(value AS INTEGER) + 1 WHERE key = 'revision' RETURNING CAST(value AS INTEGER) AS revision",
  );
  const findSent = database.prepare('SELECT remote_id, content_hash FROM sent WHERE session_id = ?');
  const find = database.prepare('SELECT change FROM unsent WHERE session_id = ?');
  const write = prepareWrite(
    database,
    `INSERT INTO unsent (session_id, revision, since, change) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET revision = excluded.revision, due = 0, change = excluded.change`,
  );
  const drop = prepareWrite(database, 'DELETE FROM unsent WHERE session_id = ?');
  const pending = (remoteId: string): PendingChange => {
    const row = find.get(remoteId);
    return row === undefined ? NOTHING : changeOf(row);
  };
  const remoteIdOf = (localId: string): string => {
    const row = findSent.get(localId);
    return row === undefined ? localId : textOf(row, 'remote_id');
  };
  const put: UnsentRows['put'] = (remoteId, change, revision) => {
    write.run(remoteId, revision, now(), JSON.stringify(mergeChanges(pending(remoteId), change)));
  };
  return {
    nextRevision: () => numberOf(next.get(), 'revision'),
    put,
    record: (localId, change, revision) => put(remoteIdOf(localId), change, revision),
    recordRemoval(localId, revision) {
      const remoteId = remoteIdOf(localId);
      const isPrivate = readNotes(database).storeId === null && pending(remoteId).forgotten === null;
      // Nothing was ever sent, so there is nothing to take back from the first server this machine meets.
      if (isPrivate) drop.run(remoteId);
      else put(remoteId, { removed: true }, revision);
    },
    isSent: (localId) => (findSent.get(localId)?.content_hash ?? '') !== '',
  };
}

/** Written with fields of this type; those that are missing are false. */
export function changeOf(row: Row): PendingChange {
  return { ...NOTHING, ...(JSON.parse(textOf(row, 'change')) as Partial<PendingChange>) };
}
