import { readFileSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { asRecord, asText, parseJson } from '../transcript/read-value.ts';

/** Gives the names that users gave to the sessions of a home, by id. */
export type NamesOf = (home: string) => Map<string, string>;

/** Reads a home's index of names again only when it has changed: it is asked for with every transcript. */
export function createNames(): NamesOf {
  const known = new Map<string, { stamp: string; names: Map<string, string> }>();
  return (home) => {
    const path = join(home, 'session_index.jsonl');
    const stats = statIndex(path);
    const stamp = stats === undefined ? '' : `${stats.mtimeMs} ${stats.size} ${stats.ino}`;
    const before = known.get(home);
    if (before?.stamp === stamp) return before.names;
    const names = stats === undefined ? new Map<string, string>() : parseIndex(readIndex(path));
    known.set(home, { stamp, names });
    return names;
  };
}

/** A home that cannot be looked into has no index; finding its transcripts reports it. */
function statIndex(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Names are appended: the last line about a session counts. */
function parseIndex(index: string): Map<string, string> {
  const names = new Map<string, string>();
  for (const line of index.split('\n')) {
    const entry = asRecord(line === '' ? null : parseJson(line));
    const id = asText(entry?.id);
    const name = asText(entry?.thread_name)?.trim();
    if (id !== null && name) names.set(id, name);
  }
  return names;
}

function readIndex(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // Without its index a session goes by its first prompt.
    return '';
  }
}
