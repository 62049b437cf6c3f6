import { readFileSync } from 'node:fs';
import { basename, join, sep } from 'node:path';
import { statOf } from '../../files/look-at-path.ts';
import { asRecord, asText, parseJson } from '../../jsonl/read-value.ts';
import { idInName } from './find-transcripts.ts';

/** The id of the session from which Codex imported the one with the transcript at a path; null for its own sessions. */
export type ImportedFrom = (path: string) => string | null;

/** Codex notes its imports of Claude Code's sessions in its home. */
export function createImportedFrom(homes: string[]): ImportedFrom {
  const known = new Map<string, { stamp: string; origins: Map<string, string> }>();
  return (path) => {
    const home = homes.find((one) => path.startsWith(one + sep));
    const sessionId = idInName(path);
    if (home === undefined || sessionId === null) return null;
    const record = join(home, 'external_agent_session_imports.json');
    const stats = statOf(record);
    const stamp = stats?.isFile() === true ? `${stats.mtimeMs} ${stats.size} ${stats.ino}` : '';
    let one = known.get(home);
    if (one?.stamp !== stamp) {
      one = { stamp, origins: stamp === '' ? new Map() : readOrigins(record) };
      known.set(home, one);
    }
    return one.origins.get(sessionId) ?? null;
  };
}

function readOrigins(path: string): Map<string, string> {
  const { records } = asRecord(parseJson(readText(path))) ?? {};
  const origins = new Map<string, string>();
  for (const value of Array.isArray(records) ? records : []) {
    const entry = asRecord(value);
    const thread = asText(entry?.imported_thread_id);
    const source = asText(entry?.source_path);
    if (thread !== null && source?.endsWith('.jsonl')) origins.set(thread, basename(source, '.jsonl'));
  }
  return origins;
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // Without the record an imported session counts as one of its own.
    return '';
  }
}
