import { join, sep } from 'node:path';
import { readRegularFile, statOf } from '../../files/look-at-path.ts';
import { asRecord, asText, parseJson } from '../../jsonl/read-value.ts';
import { idInName } from './list-transcripts.ts';

/** Session names given by users. */
interface SessionNames {
  /** By session id. */
  inHome(home: string): Map<string, string>;
  /** The name of the session whose transcript is at a path. */
  of(path: string, sessionId?: string | null): string | undefined;
}

/** Caches each home's index of names until the file changes, because every read of a transcript needs it. */
export function createSessionNames(homes: string[]): SessionNames {
  const known = new Map<string, { stamp: string; names: Map<string, string> }>();
  const inHome = (home: string) => {
    const path = join(home, 'session_index.jsonl');
    const stats = statOf(path);
    const stamp = stats === undefined ? '' : `${stats.mtimeMs} ${stats.size} ${stats.ino}`;
    const before = known.get(home);
    if (before?.stamp === stamp) return before.names;
    const names = stats === undefined ? new Map<string, string>() : parseIndex(readRegularFile(path));
    known.set(home, { stamp, names });
    return names;
  };
  return {
    inHome,
    of(path, sessionId = idInName(path)) {
      const home = homes.find((one) => path.startsWith(one.endsWith(sep) ? one : one + sep));
      return home === undefined || sessionId === null ? undefined : inHome(home).get(sessionId);
    },
  };
}

/** Names are appended, so the last line about a session counts. */
function parseIndex(index: string): Map<string, string> {
  const names = new Map<string, string>();
  for (const line of index.split('\n')) {
    const entry = asRecord(parseJson(line));
    const id = asText(entry?.id);
    const name = asText(entry?.thread_name)?.trim();
    if (id !== null && name) names.set(id, name);
  }
  return names;
}
