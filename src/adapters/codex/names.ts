import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asRecord, asText, parseJson } from './json.ts';

/** The names that users gave to sessions of one home, by id; the last line about a session counts. */
export function readNames(home: string): Map<string, string> {
  const names = new Map<string, string>();
  for (const line of readIndex(home).split('\n')) {
    const entry = asRecord(line === '' ? null : parseJson(line));
    const id = asText(entry?.id);
    const name = asText(entry?.thread_name)?.trim();
    if (id !== null && name) names.set(id, name);
  }
  return names;
}

/** Most homes have no index: it appears with the first name. */
function readIndex(home: string): string {
  try {
    return readFileSync(join(home, 'session_index.jsonl'), 'utf8');
  } catch {
    return '';
  }
}
