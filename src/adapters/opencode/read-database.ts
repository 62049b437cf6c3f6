import { existsSync } from 'node:fs';
import type { SQLInputValue } from 'node:sqlite';
import { asText } from '../jsonl/read-value.ts';
import type { Row } from '../records/row-format.ts';
import { openReadOnly } from '../sqlite/database/open-database.ts';
import type { ModelName } from './exported-session.ts';

/**
 * Reads OpenCode's database while OpenCode writes it. It is opened for reading and closed at once: no lock outlives the call.
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

/** The model that was used last: a session with an unknown model cannot be continued without naming one. */
export function lastModel(path: string): ModelName {
  if (!existsSync(path)) return NO_MODEL;
  const [row] = readDatabase(path, (all) =>
    all(
      `SELECT json_extract(data, '$.model.providerID') AS providerID, json_extract(data, '$.model.modelID') AS modelID
       FROM message WHERE CASE WHEN json_valid(data) THEN json_extract(data, '$.role') = 'user' END ORDER BY time_created DESC LIMIT 1`,
    ),
  );
  const [providerID, modelID] = [asText(row?.providerID), asText(row?.modelID)];
  return providerID === null || modelID === null ? NO_MODEL : { providerID, modelID };
}

const NO_MODEL: ModelName = { providerID: 'imported', modelID: 'imported' };
