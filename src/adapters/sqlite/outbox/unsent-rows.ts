import type { PendingChange } from '../../../ports/outbox.ts';
import { type Database, prepareWrite, type Row } from '../database/open-database.ts';
import { numberOf, textOf } from '../points/rows.ts';
import { mergeChanges, NOTHING } from './merge-changes.ts';
import { readNotes } from './server-notes.ts';

/** The rows of the outbox, for whoever changes a session. Every method runs inside the caller's transaction. */
export interface UnsentRows {
  /** Above all revisions before it. */
  nextRevision(): number;
  /** @param remoteId the session's id on the server. */
  put(remoteId: string, change: Partial<PendingChange>, revision: number): void;
  /** `put`, by the id in the local store. */
  record(localId: string, change: Partial<PendingChange>, revision: number): void;
  /** Whether a server may have this machine's copy of a session that is not here. Before the first handshake it may have any. */
  mayBeSent(localId: string): boolean;
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
  const put: UnsentRows['put'] = (remoteId, change, revision) => {
    const row = find.get(remoteId);
    const before = row === undefined ? NOTHING : changeOf(row);
    write.run(remoteId, revision, now(), JSON.stringify(mergeChanges(before, change)));
  };
  return {
    nextRevision: () => numberOf(next.get(), 'revision'),
    put,
    record(localId, change, revision) {
      const row = findSent.get(localId);
      put(row === undefined ? localId : textOf(row, 'remote_id'), change, revision);
    },
    mayBeSent: (localId) =>
      (findSent.get(localId)?.content_hash ?? '') !== '' || readNotes(database).storeId === null,
  };
}

/** Written with fields of this type; those that are missing are false. */
export function changeOf(row: Row): PendingChange {
  return { ...NOTHING, ...(JSON.parse(textOf(row, 'change')) as Partial<PendingChange>) };
}
