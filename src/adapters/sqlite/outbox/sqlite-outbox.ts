import type {
  DoneEntry,
  Outbox,
  OutboxChange,
  OutboxEntry,
  SentSession,
  UnsentPoints,
} from '../../../ports/outbox.ts';
import { openMigrated } from '../database/migrate.ts';
import { type Database, inTransaction, prepareWrite, type Row } from '../database/open-database.ts';
import { INDEX_SCHEMA } from '../database/schemas.ts';
import { numberOf, numberOrNull, textOf, textOrNull } from '../points/rows.ts';
import { pointIdOf } from '../points/stored-ids.ts';
import { NOTHING } from './merge-changes.ts';
import { readNotes, writeNotes } from './server-notes.ts';
import { changeOf, createUnsentRows } from './unsent-rows.ts';

const FIRST_WAIT_MS = 5000;
const LONGEST_WAIT_MS = 3_600_000;

/** A later due time than the longest wait was written before the clock was set back. */
const IS_LATER = 'due > ? AND due <= ?';
/** Due later, but without a failure. */
const IS_DEFERRED = `${IS_LATER} AND tries = 0`;
const IDS = '(SELECT value FROM json_each(?))';

/** The outbox as tables of the local store (`index.db`), on its own connection. */
export function openSqliteOutbox({ path, now }: { path: string; now: () => number }): Outbox {
  const { database, guard } = openMigrated(path, INDEX_SCHEMA);
  const change = <T>(work: () => T): T => guard(() => inTransaction(database, work));
  const all = (sql: string, ...params: (string | number)[]) =>
    guard(() => database.prepare(sql).all(...params));

  const later = (): [number, number] => [now(), now() + LONGEST_WAIT_MS];
  return {
    add: (changes) => change(() => add(database, changes, now)),
    due: (limit) =>
      all(
        `SELECT * FROM unsent WHERE NOT (${IS_LATER}) ORDER BY since, session_id LIMIT ?`,
        ...later(),
        limit,
      ).map(entryOf),
    get: (ids) => all(`SELECT * FROM unsent WHERE session_id IN ${IDS}`, JSON.stringify(ids)).map(entryOf),
    waiting: () =>
      all(`SELECT session_id FROM unsent WHERE NOT (${IS_DEFERRED})`, ...later()).map((row) =>
        textOf(row, 'session_id'),
      ),
    unsent: (localId) => guard(() => unsentPoints(database, localId)),
    done: (entries, sent) => change(() => finish(database, entries, sent, now)),
    fail: (entry, reason) => change(() => postpone(database, entry, reason, now())),
    wake: (which) =>
      change(() => {
        const some = which === 'all' ? '' : 'AND tries = 0';
        prepareWrite(database, `UPDATE unsent SET due = 0 WHERE due > 0 ${some}`).run();
      }),
    counts: () =>
      guard(() => {
        const row = database
          .prepare(
            `SELECT count(*) AS waiting, sum(tries > 0) AS failing, min(since) AS since FROM unsent WHERE NOT (${IS_DEFERRED})`,
          )
          .get(...later());
        const deferred = database
          .prepare(`SELECT min(due) AS due FROM unsent WHERE ${IS_DEFERRED}`)
          .get(...later());
        return {
          waiting: numberOf(row, 'waiting'),
          failing: numberOf(row, 'failing'),
          since: numberOrNull(row?.since),
          deferredUntil: numberOrNull(deferred?.due),
        };
      }),
    server: {
      sent: (ids) => all(`SELECT * FROM sent WHERE session_id IN ${IDS}`, JSON.stringify(ids)).map(sentOf),
      renamed: () => all('SELECT * FROM sent WHERE remote_id <> session_id').map(sentOf),
      notes: () => guard(() => readNotes(database)),
      note: (patch) => change(() => writeNotes(database, patch)),
      reset: (storeId) => change(() => reset(database, storeId, now)),
    },
    close: () => database.close(),
  };
}

function add(database: Database, changes: OutboxChange[], now: () => number): void {
  const rows = createUnsentRows(database, now);
  const doubt = prepareWrite(database, 'UPDATE sent SET revision = NULL, vectors = NULL WHERE remote_id = ?');
  for (const { sessionId, ...change } of changes) {
    if (change.whole === true) doubt.run(sessionId);
    rows.put(sessionId, change, rows.nextRevision());
  }
}

function reset(database: Database, storeId: string, now: () => number): void {
  prepareWrite(database, 'DELETE FROM sent').run();
  const sessions = database.prepare('SELECT session_id FROM sessions').all();
  const everything = { whole: true, vectors: true, archive: true };
  add(
    database,
    sessions.map((row) => ({ sessionId: textOf(row, 'session_id'), ...everything })),
    now,
  );
  writeNotes(database, { storeId, superseded: [], begun: [] });
}

function unsentPoints(database: Database, localId: string): UnsentPoints {
  const sent = database.prepare('SELECT revision, vectors FROM sent WHERE session_id = ?').get(localId);
  const above = (condition: string, revision: number | null) =>
    revision === null
      ? null
      : database
          .prepare(
            `SELECT p.id FROM points p JOIN sessions s ON s.rowid = p.session WHERE s.session_id = ? AND ${condition} > ?`,
          )
          .all(localId, revision)
          .map(pointIdOf);
  return {
    texts: above('p.text_revision', numberOrNull(sent?.revision)),
    vectors: above('p.has_vector = 1 AND p.vector_revision', numberOrNull(sent?.vectors)),
  };
}

function finish(database: Database, entries: DoneEntry[], sent: SentSession[], now: () => number): void {
  const note = prepareWrite(
    database,
    `INSERT INTO sent (session_id, remote_id, content_hash, revision) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET remote_id = excluded.remote_id, content_hash = excluded.content_hash,
         revision = excluded.revision, vectors = iif(remote_id = excluded.remote_id, vectors, NULL)`,
  );
  const revisions = new Map(entries.map(({ sessionId, revision }) => [sessionId, revision]));
  for (const { sessionId, remoteId, contentHash } of sent)
    note.run(sessionId, remoteId, contentHash, revisions.get(remoteId) ?? null);
  const rows = createUnsentRows(database, now);
  const find = database.prepare('SELECT change FROM unsent WHERE session_id = ? AND revision = ?');
  const unsend = prepareWrite(database, 'DELETE FROM sent WHERE session_id = ? AND remote_id = session_id');
  const noteVectors = prepareWrite(database, 'UPDATE sent SET vectors = ? WHERE remote_id = ?');
  const drop = prepareWrite(database, 'DELETE FROM unsent WHERE session_id = ? AND revision = ?');
  // With a new revision, because it is another entry from now on.
  const defer = prepareWrite(
    database,
    'UPDATE unsent SET revision = ?, due = ?, tries = 0, reason = NULL, change = ? WHERE session_id = ? AND revision = ?',
  );
  const transcript = JSON.stringify({ ...NOTHING, archive: true });
  for (const { sessionId, revision, deferredUntil, hasVectors } of entries) {
    if (hasVectors !== undefined) noteVectors.run(hasVectors ? revision : null, sessionId);
    const row = find.get(sessionId, revision);
    if (row === undefined) continue;
    if (changeOf(row).removed && !sent.some(({ remoteId }) => remoteId === sessionId)) unsend.run(sessionId);
    if (deferredUntil === undefined) drop.run(sessionId, revision);
    else defer.run(rows.nextRevision(), deferredUntil, transcript, sessionId, revision);
  }
  endTranscripts(database, entries);
}

function endTranscripts(database: Database, entries: DoneEntry[]): void {
  const { begun } = readNotes(database);
  const sent = entries.filter(({ deferredUntil }) => deferredUntil === undefined);
  const done = new Set(sent.map(({ sessionId }) => sessionId));
  const rest = begun.filter((id) => !done.has(id));
  if (rest.length < begun.length) writeNotes(database, { begun: rest });
}

function postpone(database: Database, entry: OutboxEntry, reason: string, now: number): void {
  const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** entry.tries);
  prepareWrite(
    database,
    'UPDATE unsent SET tries = tries + 1, reason = ?, due = ? WHERE session_id = ? AND revision = ?',
  ).run(reason, now + wait, entry.sessionId, entry.revision);
}

function entryOf(row: Row): OutboxEntry {
  return {
    sessionId: textOf(row, 'session_id'),
    revision: numberOf(row, 'revision'),
    since: numberOf(row, 'since'),
    tries: numberOf(row, 'tries'),
    reason: textOrNull(row.reason),
    ...changeOf(row),
  };
}

function sentOf(row: Row): SentSession {
  return {
    sessionId: textOf(row, 'session_id'),
    remoteId: textOf(row, 'remote_id'),
    contentHash: textOf(row, 'content_hash'),
  };
}
