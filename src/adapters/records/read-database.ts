import { existsSync } from 'node:fs';
import type { SQLInputValue } from 'node:sqlite';
import { statOf } from '../files/look-at-path.ts';
import { openReadOnly } from '../sqlite/database/open-database.ts';
import type { Row } from './row-format.ts';

/**
 * Reads an agent's database while the agent writes it. It is opened for reading and closed at once: no lock outlives the call. One that no
 * program has open is read without the files that SQLite would leave beside it, and again if it changed meanwhile.
 * @throws SmartForkError STORE_UNAVAILABLE
 */
export function readDatabase<T>(path: string, read: (all: Query) => T): T {
  const before = markAtRest(path);
  if (before === null) return readOnce(path, false, read);
  try {
    const result = readOnce(path, true, read);
    if (markAtRest(path) === before) return result;
  } catch (error) {
    if (markAtRest(path) === before) throw error;
  }
  return readOnce(path, false, read);
}

/** Null while a log beside the database shows that a program has it open. */
function markAtRest(path: string): string | null {
  const isOpen = existsSync(`${path}-wal`) || existsSync(`${path}-journal`);
  const { size, mtimeMs } = statOf(path) ?? {};
  return isOpen ? null : `${size} ${mtimeMs}`;
}

function readOnce<T>(path: string, isUnchanging: boolean, read: (all: Query) => T): T {
  const database = openReadOnly(path, WAIT_MS, isUnchanging);
  try {
    return read((sql, ...values) => {
      const statement = database.prepare(sql);
      // As numbers, one integer above 2^53 would fail the whole query.
      statement.setReadBigInts(true);
      return statement.all(...values).map(withNumbers);
    });
  } finally {
    database.close();
  }
}

function withNumbers(row: Row): Row {
  for (const [name, value] of Object.entries(row)) if (typeof value === 'bigint') row[name] = Number(value);
  return row;
}

type Query = (sql: string, ...values: SQLInputValue[]) => Row[];

const WAIT_MS = 2000;
