import type {
  EmbeddingPause,
  EntryState,
  Outbox,
  OutboxChange,
  OutboxEntry,
  OutboxPause,
  PutOff,
  SentSession,
} from '../../../ports/outbox.ts';
import { isProcessAlive } from '../../system/is-process-alive.ts';
import { migrate, readMeta, STATE_STEPS, writeMeta } from '../database/migrate.ts';
import {
  type Database,
  inTransaction,
  openDatabase,
  prepareWrite,
  type Row,
  storeUnavailable,
} from '../database/open-database.ts';
import { numberOf, textOf } from '../points/rows.ts';
import { type Merged, mergeChanges, NOTHING } from './outbox-changes.ts';

export interface OutboxOptions {
  /** This machine's notes, `state.db`. */
  path: string;
  pid: number;
  now: () => number;
}

/** A change that is held longer than any write takes belongs to a process that slept or another of its number. */
const HOLD_MS = 120_000;
const FIRST_WAIT_MS = 5000;
const LONGEST_WAIT_MS = 3_600_000;

/** What waits without having failed was put off. */
const IS_PUT_OFF = 'due > ? AND tries = 0';

const STORE = 'outbox_store';
const PAUSE = 'outbox_pause';
const EMBEDDING = 'outbox_embedding';
const GREETED = 'outbox_greeted';
const BEGUN = 'outbox_begun';
const OUTGROWN = 'outbox_outgrown';
const REVISION = 'outbox_revision';

/** The outbox as tables in this machine's notes. */
export function openSqliteOutbox({ path, pid, now }: OutboxOptions): Outbox {
  const database = openDatabase(path);
  const guard = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      throw storeUnavailable(path, error);
    }
  };
  guard(() => migrate(database, path, STATE_STEPS));
  const change = <T>(work: () => T): T => guard(() => inTransaction(database, work));
  const all = (sql: string, ...params: (string | number)[]) =>
    guard(() => database.prepare(sql).all(...params));

  return {
    hold: (changes) => change(() => put(database, changes, now(), pid)),
    free: (ids) => change(() => free(database, ids)),
    add: (changes) => change(() => put(database, changes, now(), null)),
    due: (limit) =>
      all('SELECT * FROM outbox WHERE due <= ? ORDER BY since, session_id', now())
        .filter((row) => !isHeld(row, now()))
        .slice(0, limit)
        .map(entryOf),
    hurry: () => change(() => void prepareWrite(database, 'UPDATE outbox SET due = 0').run()),
    endQuiet: () =>
      change(() => void prepareWrite(database, 'UPDATE outbox SET due = 0 WHERE tries = 0').run()),
    quietUntil: () => {
      const [row] = all(`SELECT min(due) AS due FROM outbox WHERE ${IS_PUT_OFF}`, now());
      return typeof row?.due === 'number' ? row.due : null;
    },
    get: (ids) =>
      all(
        'SELECT * FROM outbox WHERE session_id IN (SELECT value FROM json_each(?))',
        JSON.stringify(ids),
      ).map(entryOf),
    waiting: () =>
      all(`SELECT session_id FROM outbox WHERE NOT (${IS_PUT_OFF})`, now()).map((row) =>
        textOf(row, 'session_id'),
      ),
    done: (entries, sent, putOff = []) => change(() => finish(database, entries, sent, putOff)),
    begin: (ids) =>
      change(() => {
        const begun = listOf(readMeta(database, BEGUN));
        writeMeta(database, BEGUN, JSON.stringify([...new Set([...begun, ...ids])]));
        return ids.filter((id) => begun.includes(id));
      }),
    outgrown: () => guard(() => listOf(readMeta(database, OUTGROWN))),
    noteOutgrown: (ids) => guard(() => writeMeta(database, OUTGROWN, JSON.stringify(ids))),
    fail: (entry, reason) => change(() => postpone(database, entry, reason, now())),
    sent: (ids) =>
      all('SELECT * FROM sent WHERE session_id IN (SELECT value FROM json_each(?))', JSON.stringify(ids)).map(
        sentOf,
      ),
    renamed: () => all('SELECT * FROM sent WHERE remote_id <> session_id').map(sentOf),
    pause: () => guard(() => pauseOf(readMeta(database, PAUSE))),
    setPause: (pause) => guard(() => writeMeta(database, PAUSE, JSON.stringify(pause))),
    embeddingPause: () => guard(() => embeddingPauseOf(readMeta(database, EMBEDDING))),
    setEmbeddingPause: (pause) => guard(() => writeMeta(database, EMBEDDING, JSON.stringify(pause))),
    storeId: () => guard(() => readMeta(database, STORE)),
    greetedAt: () => guard(() => Number(readMeta(database, GREETED)) || null),
    noteGreeted: () => guard(() => writeMeta(database, GREETED, String(now()))),
    startOver: (storeId, ids) =>
      change(() => {
        prepareWrite(database, 'DELETE FROM sent').run();
        writeMeta(database, OUTGROWN, '[]');
        put(
          database,
          ids.map((sessionId) => ({ sessionId, whole: true, vectors: null, archive: true })),
          now(),
          null,
        );
        writeMeta(database, STORE, storeId);
      }),
    counts: () =>
      guard(() => {
        const row = database
          .prepare(
            `SELECT count(*) AS waiting, sum(tries > 0) AS failing, min(since) AS since FROM outbox WHERE NOT (${IS_PUT_OFF})`,
          )
          .get(now());
        const waiting = numberOf(row, 'waiting');
        return {
          waiting,
          failing: numberOf(row, 'failing'),
          since: waiting === 0 ? null : numberOf(row, 'since'),
        };
      }),
    close: () => database.close(),
  };
}

/** @param holder process that is about to make the changes; null when they are made. */
function put(database: Database, changes: OutboxChange[], now: number, holder: number | null): void {
  const find = database.prepare('SELECT * FROM outbox WHERE session_id = ?');
  const write = prepareWrite(
    database,
    `INSERT INTO outbox (session_id, revision, since, due, tries, reason, held, holder, change) VALUES (?, ?, ?, 0, 0, NULL, ?, ?, ?)
       ON CONFLICT DO UPDATE SET revision = excluded.revision, due = 0, held = excluded.held, holder = excluded.holder, change = excluded.change`,
  );
  for (const { sessionId, ...change } of changes) {
    const row = find.get(sessionId);
    const before = row === undefined ? NOTHING : changeOf(row);
    const merged = JSON.stringify(mergeChanges(before, change));
    write.run(sessionId, nextRevision(database), now, holder === null ? null : now, holder, merged);
  }
}

function free(database: Database, ids: string[]): void {
  const write = prepareWrite(
    database,
    'UPDATE outbox SET revision = ?, held = NULL, holder = NULL WHERE session_id = ?',
  );
  for (const id of ids) write.run(nextRevision(database), id);
}

/** Never the same twice: an entry that was taken out and came again is another one. */
function nextRevision(database: Database): number {
  const revision = Number(readMeta(database, REVISION) ?? 0) + 1;
  writeMeta(database, REVISION, String(revision));
  return revision;
}

function finish(database: Database, entries: EntryState[], sent: SentSession[], putOff: PutOff[]): void {
  // Under a revision of their own they are not among those that are dropped.
  const keep = prepareWrite(
    database,
    'UPDATE outbox SET revision = ?, due = ?, tries = 0, reason = NULL, change = ? WHERE session_id = ? AND revision = ?',
  );
  const transcript = JSON.stringify({ ...NOTHING, archive: true });
  for (const { sessionId, revision, until } of putOff)
    keep.run(nextRevision(database), until, transcript, sessionId, revision);
  const drop = prepareWrite(database, 'DELETE FROM outbox WHERE session_id = ? AND revision = ?');
  const find = database.prepare('SELECT change FROM outbox WHERE session_id = ? AND revision = ?');
  const unsend = prepareWrite(database, 'DELETE FROM sent WHERE session_id = ? AND remote_id = session_id');
  for (const { sessionId, revision } of entries) {
    const row = find.get(sessionId, revision);
    if (row !== undefined && changeOf(row).removed) unsend.run(sessionId);
    drop.run(sessionId, revision);
  }
  endTranscripts(database, entries, putOff);
  const note = prepareWrite(
    database,
    'INSERT OR REPLACE INTO sent (session_id, remote_id, content_hash) VALUES (?, ?, ?)',
  );
  for (const { sessionId, remoteId, contentHash } of sent) note.run(sessionId, remoteId, contentHash);
}

function endTranscripts(database: Database, entries: EntryState[], putOff: PutOff[]): void {
  const later = new Set(putOff.map(({ sessionId }) => sessionId));
  const done = new Set(entries.flatMap(({ sessionId }) => (later.has(sessionId) ? [] : [sessionId])));
  const begun = listOf(readMeta(database, BEGUN));
  if (begun.some((id) => done.has(id)))
    writeMeta(database, BEGUN, JSON.stringify(begun.filter((id) => !done.has(id))));
}

function postpone(database: Database, entry: OutboxEntry, reason: string, now: number): void {
  const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** entry.tries);
  prepareWrite(
    database,
    'UPDATE outbox SET tries = tries + 1, reason = ?, due = ? WHERE session_id = ? AND revision = ?',
  ).run(reason, now + wait, entry.sessionId, entry.revision);
}

function isHeld(row: Row, now: number): boolean {
  if (typeof row.holder !== 'number' || Math.abs(now - numberOf(row, 'held')) > HOLD_MS) return false;
  return isProcessAlive(row.holder);
}

function entryOf(row: Row): OutboxEntry {
  return {
    sessionId: textOf(row, 'session_id'),
    revision: numberOf(row, 'revision'),
    since: numberOf(row, 'since'),
    tries: numberOf(row, 'tries'),
    reason: typeof row.reason === 'string' ? row.reason : null,
    ...changeOf(row),
  };
}

/** Written by `put` with these very fields. */
function changeOf(row: Row): Merged {
  return JSON.parse(textOf(row, 'change')) as Merged;
}

function sentOf(row: Row): SentSession {
  return {
    sessionId: textOf(row, 'session_id'),
    remoteId: textOf(row, 'remote_id'),
    contentHash: textOf(row, 'content_hash'),
  };
}

function pauseOf(text: string | null): OutboxPause | null {
  return text === null ? null : (JSON.parse(text) as OutboxPause | null);
}

function embeddingPauseOf(text: string | null): EmbeddingPause | null {
  return text === null ? null : (JSON.parse(text) as EmbeddingPause | null);
}

/** Written by `begin` and `noteOutgrown` as such. */
function listOf(text: string | null): string[] {
  return text === null ? [] : (JSON.parse(text) as string[]);
}
