import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { errorText } from '../../domain/errors.ts';
import type { OnProblem, TranscriptFile } from '../../ports/transcript-source.ts';
import { readRegularFile } from '../files/look-at-path.ts';
import { listFolder } from '../jsonl/list-folder.ts';
import { asId, asNumber, asRecord, asText, parseJson } from '../jsonl/read-value.ts';
import { describeFile } from '../records/find-files.ts';
import { readDatabase } from '../records/read-database.ts';
import type { Row } from '../records/row-format.ts';

/** A home is Goose's folder for data; GOOSE_PATH_ROOT names one that contains it. */
export function foldersIn(home: string): string[] {
  const folders = [join(home, 'sessions'), join(home, 'data', 'sessions')];
  const there = folders.filter((folder) => existsSync(folder));
  return there.length === 0 ? folders : there;
}

/** Those in the database, and those in files that it did not take over. */
export function findSessions(home: string, onProblem?: OnProblem): TranscriptFile[] {
  return foldersIn(home).flatMap((folder) => {
    const database = join(folder, DATABASE);
    let stored: TranscriptFile[] = [];
    try {
      if (existsSync(database)) stored = sessionsIn(database, null, onProblem);
    } catch (error) {
      onProblem?.(database, errorText(error));
    }
    const known = new Set(stored.map(({ sessionId }) => sessionId));
    const files = listFolder(folder, onProblem).flatMap(({ name }) => {
      if (!name.endsWith('.jsonl')) return [];
      const file = inspectSession(join(folder, name));
      if (file === null) onProblem?.(join(folder, name), 'its beginning names no session');
      return file === null || known.has(file.sessionId) ? [] : [file];
    });
    return [...stored, ...files];
  });
}

const DATABASE = 'sessions.db';

export function inspectSession(path: string): TranscriptFile | null {
  const place = placeOf(path);
  try {
    if (place !== null) return sessionsIn(place.database, place.sessionId)[0] ?? null;
  } catch {
    // The file is missing, or is no database of Goose's.
    return null;
  }
  const isIn = basename(dirname(path)) === 'sessions' || path.endsWith('.goose.jsonl');
  const sessionId = asId(/^([\w.-]{1,100}?)(?:\.goose)?\.jsonl$/.exec(basename(path))?.[1]);
  if (!isIn || sessionId === null) return null;
  const file = describeFile('goose', path, sessionId);
  return file !== null && BEGINNING.test(readRegularFile(path, HEAD_BYTES)) ? file : null;
}

const HEAD_BYTES = 4096;
/** A session's description, or a message if it has none. */
const BEGINNING =
  /^\{"(?:working_dir"|description"|schedule_id"|session"|(?:id":[^,]{1,200},")?(?:role":"(?:user|assistant)","created"))/;

/** A session's reference is its database's path and its id. */
export function placeOf(path: string): { database: string; sessionId: string } | null {
  const at = path.lastIndexOf('#');
  const database = path.slice(0, at);
  const sessionId = asId(path.slice(at + 1));
  return at < 0 || sessionId === null || basename(database) !== DATABASE ? null : { database, sessionId };
}

/**
 * Goose adds messages, replaces all of them when it compacts, and then gives them new numbers: their number and the highest of theirs show
 * changes. What it starts for itself, and subagents, which name no parent, are left out, as in its own list.
 */
function sessionsIn(database: string, only: string | null, onProblem?: OnProblem): TranscriptFile[] {
  const rows = readDatabase(database, (all) => {
    const columns = all(`SELECT name FROM pragma_table_info('sessions')`).map(({ name }) => name);
    const wanted = COLUMNS.filter((name) => columns.includes(name)).map((name) => `s.${name}`);
    return all(
      `SELECT ${wanted.join(', ')}, CAST(strftime('%s', s.updated_at) AS INTEGER) AS changed,
         (SELECT count(*) FROM messages m WHERE m.session_id = s.id) AS messages,
         (SELECT max(m.id) FROM messages m WHERE m.session_id = s.id) AS last
       FROM sessions s WHERE ?1 IS NULL OR s.id = ?1 ORDER BY s.rowid`,
      only,
    );
  });
  const shown = rows.filter((row) => !HIDDEN.has(asText(row.session_type) ?? ''));
  const described = shown.flatMap((row) => describe(database, row) ?? []);
  if (described.length < shown.length)
    onProblem?.(database, `sessions without a readable id: ${shown.length - described.length}`);
  return described;
}

/** Some are missing in older databases. */
const COLUMNS = ['id', 'name', 'description', 'session_type', 'updated_at'];
const HIDDEN = new Set(['hidden', 'sub_agent', 'specialist']);

function describe(database: string, row: Row): TranscriptFile | null {
  const sessionId = asId(row.id);
  if (sessionId === null) return null;
  const size = asNumber(row.messages) ?? 0;
  const file: TranscriptFile = {
    agent: 'goose',
    path: `${database}#${sessionId}`,
    sessionId,
    size,
    mtimeMs: millisecondsOf(row.changed) ?? 0,
    inode: 0,
    revision: `${asText(row.updated_at) ?? ''}:${size}:${asNumber(row.last) ?? 0}`,
  };
  const name = asText(row.name) || asText(row.description);
  if (name) file.name = name;
  return file;
}

/** Goose counts seconds; some versions counted milliseconds. */
export function millisecondsOf(value: unknown): number | null {
  const time = asNumber(value);
  if (time === null || Math.abs(time) > 8.64e15) return null;
  return Math.abs(time) > 1e11 ? time : time * 1000;
}

/** A session's description in a file: its first line, if that is none of its messages. */
export function headOf(first: unknown): Row | null {
  const row = asRecord(first);
  return row === null || row.role !== undefined ? null : row;
}

/** A message's parts, which a database has as text. */
export function contentOf(row: Row): unknown {
  return row.content ?? parseJson(asText(row.content_json) ?? '');
}
