import { accessSync, closeSync, constants, existsSync, openSync, statfsSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { errorText, SmartForkError } from '../../../domain/errors.ts';
import { makeFolder } from '../../system/make-folder.ts';
import { isUnreadable } from './damaged-record.ts';

export type Database = DatabaseSync;
type Driver = typeof import('node:sqlite');

/** A row as returned by the driver. */
export type Row = Record<string, unknown>;

const BUSY_TIMEOUT_MS = 15_000;
const READER_WAIT_MS = 2000;
const RETRY_MS = 20;
const SHARED_MEMORY_BYTES = 32 * 1024;
/**
 * Opens a database file, read-only if it cannot be written. The driver must support FTS5 and loadable extensions: Node's own from 22.13
 * on, else @photostructure/sqlite, which has the same interface and ships its binaries.
 * @param waitMs how long to wait for another process's lock.
 * @throws SmartForkError STORE_UNAVAILABLE, naming the file.
 */
export function openDatabase(path: string, waitMs = BUSY_TIMEOUT_MS): Database {
  const { DatabaseSync } = loadDriver();
  try {
    if (!existsSync(path)) makePrivateFile(path);
    refusePipe(path);
    return openToWrite(DatabaseSync, path, waitMs);
  } catch (error) {
    if (existsSync(path) && !canWrite(path) && !(isDiskFull(path) && hasLog(path)))
      return openToRead(DatabaseSync, path);
    throw storeUnavailable(path, error);
  }
}

/**
 * Opens an existing file for reading while others write it. One that is `isUnchanging` needs no files beside it.
 * @throws SmartForkError STORE_UNAVAILABLE
 */
export function openReadOnly(path: string, waitMs: number, isUnchanging = false): Database {
  const { DatabaseSync } = loadDriver();
  try {
    refusePipe(path);
    const database = new DatabaseSync(isUnchanging ? unchanging(path) : path, { readOnly: true });
    database.exec(`PRAGMA busy_timeout = ${waitMs}`);
    return database;
  } catch (error) {
    throw storeUnavailable(path, error);
  }
}

/** SQLite would wait for a pipe's writer. */
function refusePipe(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === false) throw new Error('it is not a file');
}

/** Whether a store can be written. SQLite also writes files next to it. */
export function canWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    accessSync(dirname(path), constants.W_OK);
    return !isDiskFull(path);
  } catch {
    return false;
  }
}

/** Whether there is no room for the file that SQLite needs next to a database, even for reading. */
function isDiskFull(path: string): boolean {
  try {
    const { bavail, bfree, blocks, bsize } = statfsSync(dirname(path));
    const free = (process.getuid?.() === 0 ? bfree : bavail) * bsize;
    // Some file systems report only zeros.
    return blocks > 0 && free < SHARED_MEMORY_BYTES;
  } catch {
    // The folder is missing, or its file system does not report free space.
    return false;
  }
}

/** Whether the latest writes are not in the main file yet. */
function hasLog(path: string): boolean {
  return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

function openToWrite(DatabaseSync: Driver['DatabaseSync'], path: string, waitMs: number): Database {
  const database = new DatabaseSync(path, { allowExtension: true });
  try {
    database.exec(`PRAGMA busy_timeout = ${waitMs}`);
    useWriteAheadLog(database, waitMs);
    database.exec('PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = ON');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * A file in WAL mode cannot be read without its -wal and -shm files, which cannot be created in a read-only place. If they are missing,
 * no process is writing, so SQLite is told that the file does not change.
 */
function openToRead(DatabaseSync: Driver['DatabaseSync'], path: string): Database {
  try {
    const database = new DatabaseSync(unchanging(path), { allowExtension: true, readOnly: true });
    database.exec('PRAGMA query_only = ON');
    return database;
  } catch (error) {
    throw storeUnavailable(path, error);
  }
}

function unchanging(path: string): string {
  return `${pathToFileURL(path).href}?immutable=1`;
}

/** Private to the user from the beginning; SQLite gives the -wal and -shm files the same permissions. */
function makePrivateFile(path: string): void {
  makeFolder(dirname(path));
  closeSync(openSync(path, 'a', 0o600));
}

/**
 * Does nothing if the file is in WAL mode. Two processes that create a store at the same time can block each other here, and
 * SQLite's busy timeout does not cover that.
 */
function useWriteAheadLog(database: Database, waitMs: number): void {
  for (let waited = 0; ; waited += RETRY_MS) {
    try {
      database.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (!/locked|busy/i.test(errorText(error)) || waited >= waitMs) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
    }
  }
}

const keptVersions = new WeakMap<Database, number>();

/** The version of an open database that this program knows. Another program may update the file later. */
export function keepVersion(database: Database, version: number): void {
  keptVersions.set(database, version);
}

export function versionOf(database: Database): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version ?? 0);
}

/** The error if a newer program has updated the open database, else null. */
export function newerProgram(database: Database): SmartForkError | null {
  try {
    if (versionOf(database) <= (keptVersions.get(database) ?? Infinity)) return null;
  } catch {
    // Closed or damaged: the caller reports it.
    return null;
  }
  return new SmartForkError('STORE_INCOMPATIBLE', 'smart-fork was updated while this program was running', {
    hint: 'Restart this program.',
  });
}

/** Runs `work` in a transaction that takes the write lock at once; rolls back if it throws. */
export function inTransaction<T>(database: Database, work: () => T): T {
  database.exec('BEGIN IMMEDIATE');
  try {
    const newer = newerProgram(database);
    if (newer !== null) throw newer;
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    rollBack(database);
    throw error;
  }
}

/** On a full disk SQLite has already rolled back. The original error is the one to report. */
function rollBack(database: Database): void {
  try {
    if (database.isTransaction !== false) database.exec('ROLLBACK');
  } catch {
    // Node before 22.16 cannot tell whether a transaction is open. There was none.
  }
}

/**
 * Prepares a statement for `run`. Deleting from an FTS5 table leaves a last row id above 2^53, which Node 26 refuses to return as a
 * number, for this statement and every later one of the connection.
 */
export function prepareWrite(database: Database, sql: string): StatementSync {
  const statement = database.prepare(sql);
  statement.setReadBigInts(true);
  return statement;
}

/**
 * Moves the log into the file, where deleted text is overwritten. False if another process's read prevented that for longer than reads
 * take.
 */
export function emptyLog(database: Database): boolean {
  const waitMs = Number(database.prepare('PRAGMA busy_timeout').get()?.timeout);
  database.exec(`PRAGMA busy_timeout = ${Math.min(waitMs, READER_WAIT_MS)}`);
  try {
    return database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy === 0;
  } finally {
    database.exec(`PRAGMA busy_timeout = ${waitMs}`);
  }
}

/** Names the file and the remedy. */
export function storeUnavailable(path: string, error: unknown): SmartForkError {
  if (error instanceof SmartForkError) return error;
  const text = errorText(error);
  return new SmartForkError('STORE_UNAVAILABLE', `cannot use the store ${path}: ${text}`, {
    hint: hintFor(isUnreadable(error) ? 'malformed' : text, path),
    cause: error,
  });
}

function hintFor(text: string, path: string): string {
  if (isDamaged(text)) {
    return basename(path) === 'state.db'
      ? `Move ${path} aside: smart-fork creates a new one. Then run smart-fork forget again for forgotten sessions whose transcripts still exist.`
      : `Move ${path} aside and run smart-fork index: it is rebuilt from your transcripts.`;
  }
  if (/full|ENOSPC/i.test(text) || (/readonly|I\/O error/i.test(text) && isDiskFull(path)))
    return 'Free some disk space and run the command again; nothing indexed is lost.';
  if (/readonly|read-only|EACCES|EPERM|EROFS|unable to open/i.test(text)) {
    return `Make ${dirname(path)} writable, or set SMART_FORK_HOME to a folder that is.`;
  }
  if (/locked|busy/i.test(text))
    return 'Another smart-fork process is writing; wait for it to finish and try again.';
  return 'Run smart-fork doctor to see what is wrong.';
}

/** Whether SQLite's message says that the file is damaged or not a database. */
export function isDamaged(message: string): boolean {
  return /not a database|malformed|corrupt|file is encrypted|no such (?:table|column)/i.test(message);
}

function loadDriver(): Driver {
  const builtIn = withoutExperimentalWarning(() => {
    const found: Driver | undefined = process.getBuiltinModule?.('node:sqlite');
    return found !== undefined && 'loadExtension' in found.DatabaseSync.prototype ? found : null;
  });
  if (builtIn !== null) return builtIn;
  try {
    return createRequire(import.meta.url)('@photostructure/sqlite') as Driver;
  } catch (error) {
    throw new SmartForkError('STORE_UNAVAILABLE', `no SQLite driver for Node ${process.version}`, {
      hint: 'Use Node 22.13 or later, or install smart-fork again with its optional dependencies.',
      cause: error,
    });
  }
}

/** Node 22 and 24 warn that `node:sqlite` is experimental each time it is loaded, which is noise on a user's terminal. */
function withoutExperimentalWarning<T>(load: () => T): T {
  const emitWarning = process.emitWarning;
  process.emitWarning = () => undefined;
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
}
