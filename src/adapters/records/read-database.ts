import type { SQLInputValue } from 'node:sqlite';
import { openReadOnly } from '../sqlite/database/open-database.ts';
import type { Row } from './row-format.ts';

/**
 * Reads an agent's database while the agent writes it. It is opened for reading and closed at once: no lock outlives the call.
 * @throws SmartForkError STORE_UNAVAILABLE
 */
export function readDatabase<T>(path: string, read: (all: Query) => T): T {
  const database = openReadOnly(path, WAIT_MS);
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
