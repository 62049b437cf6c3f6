import { statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { errorText, SmartForkError } from '../../domain/errors.ts';
import type { OnProblem, TranscriptFile } from '../../ports/transcript-source.ts';
import { statOf } from '../files/look-at-path.ts';
import { listFolder } from '../jsonl/list-folder.ts';
import { asId, asNumber, asText } from '../jsonl/read-value.ts';
import { readDatabase } from '../records/read-database.ts';
import type { Row } from '../records/row-format.ts';
import { withSubagents } from '../records/subagents.ts';
import { isSessionFile, rowOfFile, sessionFilesIn } from './session-files.ts';
import { COPY, isCopy, rowOfCopy } from './session-lines.ts';

/** XDG_DATA_HOME is the folder that contains OpenCode's. */
export function folderOf(home: string): string {
  return basename(home) === 'opencode' ? home : join(home, 'opencode');
}

/** Where its release writes. */
export function databaseOf(home: string): string {
  return join(folderOf(home), 'opencode.db');
}

/**
 * Every session in a home's databases, one for each release channel, and in the files of versions before 1.2, which later ones took
 * over. Subagents' sessions belong to the session that started them.
 */
export function findSessions(home: string, onProblem?: OnProblem): TranscriptFile[] {
  const folder = folderOf(home);
  const stored = listFolder(folder, onProblem)
    .filter(({ name }) => DATABASE.test(name))
    .flatMap(({ name }) => {
      const path = join(folder, name);
      try {
        return sessionsIn(path, null, onProblem);
      } catch (error) {
        onProblem?.(path, errorText(error));
        return [];
      }
    });
  const known = new Set(
    stored.flatMap(({ sessionId, subagents = [] }) => [
      sessionId,
      ...subagents.map(({ agentId }) => agentId),
    ]),
  );
  const inFiles = sessionFilesIn(folder, onProblem).flatMap((path) => {
    const described = describeFile(path);
    if (described === null) onProblem?.(path, 'cannot be read as a session');
    if (described === null || known.has(described.file.sessionId)) return [];
    known.add(described.file.sessionId);
    return [described];
  });
  return [...stored, ...asFamilies(inFiles)];
}

/** The subagents of a session in a file are known only to `findSessions`: nothing but their files names them. */
export function inspectSession(path: string): TranscriptFile | null {
  if (isCopy(path)) return inspectCopy(path);
  const place = placeOf(path);
  if (place === null) return isSessionFile(path) ? (describeFile(path)?.file ?? null) : null;
  try {
    const sessions = sessionsIn(place.database, place.sessionId);
    return sessions.find(({ sessionId }) => sessionId === place.sessionId) ?? null;
  } catch {
    // The file is missing, or is no database of OpenCode's.
    return null;
  }
}

/**
 * Whether a session is in its database: false only if the file or the row is missing.
 * @throws SmartForkError STORE_UNAVAILABLE
 */
export function isStored({ database, sessionId }: { database: string; sessionId: string }): boolean {
  try {
    if (statSync(database, { throwIfNoEntry: false }) === undefined) return false;
    return readDatabase(database, (all) => all('SELECT 1 FROM session WHERE id = ?', sessionId)).length > 0;
  } catch (error) {
    const reason = errorText(error instanceof SmartForkError ? (error.cause ?? error) : error);
    const message = `cannot tell whether OpenCode has session ${sessionId}: ${database}: ${reason}`;
    throw new SmartForkError('STORE_UNAVAILABLE', message, {
      hint: isLocked(reason) ? WHILE_LOCKED : 'Start OpenCode to see whether it can read its database.',
      cause: error,
    });
  }
}

export function isLocked(reason: string): boolean {
  return /database is locked|SQLITE_BUSY/i.test(reason);
}

export const WHILE_LOCKED =
  "Another program has OpenCode's database locked: wait for it, or end it, and try again.";

/** An archived session, with the subagents' beside it. */
function inspectCopy(path: string): TranscriptFile | null {
  const stat = statOf(path);
  const sessionId = stat?.isFile() === true ? asId(rowOfCopy(path)?.id) : null;
  if (!stat || sessionId === null) return null;
  const file: TranscriptFile = {
    agent: 'opencode',
    path,
    sessionId,
    size: stat.size,
    mtimeMs: stat.mtimeMs,
    inode: stat.ino,
  };
  const folder = subagentsBeside(path);
  const startedBy = listFolder(folder).flatMap(({ name }) => {
    const one = isCopy(name) ? inspectCopy(join(folder, name)) : null;
    return one === null ? [] : [one];
  });
  return withSubagents(file, startedBy);
}

/** Where a subagent's session is restored: in the database of the session that started it, or beside its copy. */
export function subagentPath(path: string, agentId: string): string {
  const place = placeOf(path);
  return place === null ? join(subagentsBeside(path), `${agentId}${COPY}`) : `${place.database}#${agentId}`;
}

function subagentsBeside(path: string): string {
  return join(dirname(path), `${basename(path, COPY)}-subagents`);
}

/** A session's reference is its database's path and its id. */
export function placeOf(path: string): { database: string; sessionId: string } | null {
  const at = path.lastIndexOf('#');
  const database = path.slice(0, at);
  const sessionId = asId(path.slice(at + 1));
  return at < 0 || sessionId === null || !DATABASE.test(basename(database)) ? null : { database, sessionId };
}

const DATABASE = /^opencode(?:-[\w.-]{1,60})?\.db$/;

/**
 * Changes are seen without reading messages or parts: OpenCode counts every change of a session in `event_sequence`, and indexes count
 * the rows. A session without such a count was imported, or written by a version before it had any: its messages' times are read.
 */
function sessionsIn(database: string, only: string | null, onProblem?: OnProblem): TranscriptFile[] {
  const rows = readDatabase(database, (all) => {
    const counts =
      all("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'event_sequence'").length > 0;
    return all(
      `WITH RECURSIVE below(id) AS (
         SELECT id FROM session WHERE ?1 IS NULL OR id = ?1 UNION
         SELECT s.id FROM session s JOIN below ON s.parent_id = below.id WHERE ?1 IS NOT NULL
       )
       SELECT s.id, s.parent_id, s.title, s.time_updated, ${counts ? 'e.seq' : 'NULL'} AS changes,
         (SELECT count(*) FROM message m WHERE m.session_id = s.id) AS messages,
         (SELECT count(*) || '.' || ifnull(max(p.rowid), 0) FROM part p WHERE p.session_id = s.id) AS parts,
         CASE WHEN ${counts ? 'e.seq' : 'NULL'} IS NULL
           THEN (SELECT max(m.time_updated) FROM message m WHERE m.session_id = s.id) END AS changed
       FROM session s ${counts ? 'LEFT JOIN event_sequence e ON e.aggregate_id = s.id' : ''} WHERE s.id IN (SELECT id FROM below) OR (?1 IS NULL AND s.id IS NULL) ORDER BY s.rowid`,
      only,
    );
  });
  const described = rows.flatMap((row) => describe((id) => `${database}#${id}`, row) ?? []);
  if (described.length < rows.length)
    onProblem?.(database, `sessions without a readable id: ${rows.length - described.length}`);
  return asFamilies(described);
}

function describeFile(path: string): Described | null {
  const row = rowOfFile(path);
  const described = row === null ? null : describe(() => path, row);
  if (described !== null) described.file.unopenable = true;
  return described;
}

function asFamilies(described: Described[]): TranscriptFile[] {
  const parents = new Map(described.map(({ file, parentId }) => [file.sessionId, parentId]));
  const startedBy = new Map<string, TranscriptFile[]>();
  const roots: TranscriptFile[] = [];
  for (const { file } of described) {
    const root = rootOf(file.sessionId, parents);
    if (root === file.sessionId) roots.push(file);
    else startedBy.set(root, [...(startedBy.get(root) ?? []), file]);
  }
  return roots.map((file) => withSubagents(file, startedBy.get(file.sessionId) ?? []));
}

/** The session that started it, or started what started it. In a circle, each is its own. */
function rootOf(sessionId: string, parents: Map<string, string | null>): string {
  const seen = new Set([sessionId]);
  let root = sessionId;
  for (;;) {
    const parent = parents.get(root) ?? null;
    if (parent === null || !parents.has(parent)) return root;
    if (seen.has(parent)) return sessionId;
    seen.add(parent);
    root = parent;
  }
}

interface Described {
  file: TranscriptFile;
  parentId: string | null;
}

function describe(pathOf: (sessionId: string) => string, row: Row): Described | null {
  const sessionId = asId(row.id);
  if (sessionId === null) return null;
  const updated = asNumber(row.time_updated) ?? 0;
  const changed = asNumber(row.changed) ?? 0;
  const size = asNumber(row.messages) ?? 0;
  const file: TranscriptFile = {
    agent: 'opencode',
    path: pathOf(sessionId),
    sessionId,
    size,
    mtimeMs: Math.max(updated, changed),
    inode: 0,
    revision: [updated, changed, size, row.parts ?? 0, row.changes ?? ''].join(':'),
  };
  const name = asText(row.title);
  if (name !== null) file.name = name;
  return { file, parentId: asId(row.parent_id) };
}
