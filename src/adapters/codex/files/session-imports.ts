import { basename, join, sep } from 'node:path';
import { readRegularFile, statOf } from '../../files/look-at-path.ts';
import { asRecord, asText, parseJson } from '../../jsonl/read-value.ts';
import { idInName } from './list-transcripts.ts';

/**
 * The id of the session that Codex imported as the session at a path, or as another session in the same home; null for Codex's own
 * sessions.
 */
type ImportedFrom = (path: string, sessionId?: string | null) => string | null;

/** Reads Codex's own record, in its home, of the sessions it imported from Claude Code. */
export function createImportedFrom(homes: string[]): ImportedFrom {
  const known = new Map<string, { stamp: string; origins: Map<string, string> }>();
  return (path, sessionId = idInName(path)) => {
    const home = homes.find((one) => path.startsWith(one + sep));
    if (home === undefined || sessionId === null) return null;
    const record = join(home, RECORD);
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

/** The session that Codex made from the transcript at a path, and the hash of the part it has read; null if there is none. */
export function findImport(home: string, path: string): { threadId: string; sha256: string | null } | null {
  return readImports(join(home, RECORD)).find(({ source }) => source === path) ?? null;
}

const RECORD = 'external_agent_session_imports.json';

function readOrigins(path: string): Map<string, string> {
  const imports = readImports(path).filter(({ source }) => source.endsWith('.jsonl'));
  return new Map(imports.map(({ threadId, source }) => [threadId, basename(source, '.jsonl')]));
}

function readImports(path: string): { threadId: string; source: string; sha256: string | null }[] {
  const { records } = asRecord(parseJson(readRegularFile(path))) ?? {};
  return (Array.isArray(records) ? records : []).flatMap((value) => {
    const entry = asRecord(value);
    const threadId = asText(entry?.imported_thread_id);
    const source = asText(entry?.source_path);
    return threadId === null || source === null
      ? []
      : [{ threadId, source, sha256: asText(entry?.content_sha256) }];
  });
}
