import { existsSync } from 'node:fs';
import { asText } from '../jsonl/read-value.ts';
import { readDatabase } from '../records/read-database.ts';
import type { ModelName } from './exported-session.ts';

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
