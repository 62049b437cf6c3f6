import { basename, dirname, join } from 'node:path';
import type { SkippedLine } from '../../ports/transcript-source.ts';
import { readRegularFile } from '../files/look-at-path.ts';
import { readText } from '../jsonl/open-file.ts';
import { asId, asList, asRecord, asText, asTime, isoTime, parseJson } from '../jsonl/read-value.ts';
import type { SessionDocument } from '../records/document-format.ts';
import type { Row, SessionAbout } from '../records/row-format.ts';
import { asShown } from './shown-rows.ts';

export function loadSession(path: string): SessionDocument {
  const text = readText(path);
  const value = parseJson(text);
  const document = asRecord(value);
  const [entries, unread] = recordsIn(document === null ? value : document.messages, value);
  const rows = entries.map((row): Row => ({ ...row, time: isoTime(row.ts) }));
  return document === null
    ? { about: aboutTask(path, rows), rows: asShown(rows), unread }
    : { about: aboutSession(path, document, rows), rows, unread };
}

/** A file that is no JSON is lost as a whole, any other damage costs one message. */
function recordsIn(list: unknown, whole: unknown): [Row[], SkippedLine[]] {
  if (whole === undefined) return [[], [{ line: 1, reason: 'not JSON' }]];
  if (!Array.isArray(list)) return [[], [{ line: 1, reason: 'no such shape' }]];
  const records = asList(list).map(asRecord);
  const unread = records.flatMap((record, at): SkippedLine[] =>
    record === null ? [{ line: at + 1, reason: 'not an object' }] : [],
  );
  return [records.filter((record) => record !== null), unread];
}

/** The session's description is beside it: `<session>.json`. The model is told the folder, too. */
function aboutSession(path: string, document: Row, rows: Row[]): SessionAbout {
  const manifest = jsonIn(path.replace(/\.messages\.json$/, '.json'));
  const metadata = asRecord(manifest?.metadata);
  const fork = asRecord(metadata?.fork);
  const [parentId, since] = [asId(fork?.forkedFromSessionId), asTime(fork?.forkedAt)];
  const title = asText(metadata?.title);
  return {
    sessionId: asId(document.sessionId) ?? basename(dirname(path)),
    cwd:
      asText(manifest?.cwd) ??
      /Working Directory: (.{1,1000})/.exec(asText(document.system_prompt) ?? '')?.[1] ??
      null,
    fingerprint: asText(rows[0]?.id),
    parent: parentId === null || since === null ? null : { id: parentId, since },
    version: asText(asRecord(document.origin)?.version),
    // Until it has one, the beginning of the first prompt.
    title:
      title === null || asText(manifest?.prompt)?.startsWith(title) ? null : { source: 'ai', text: title },
  };
}

/** Roo Code describes a task beside it, Cline in a list of all; the first request tells the model the folder. */
function aboutTask(path: string, rows: Row[]): SessionAbout {
  const folder = dirname(path);
  const id = basename(folder);
  const item = jsonIn(join(folder, 'history_item.json'));
  const parentId = asId(item?.parentTaskId);
  return {
    sessionId: id,
    cwd: asText(item?.workspace) ?? folderInHistory(folder, id) ?? folderTold(rows),
    fingerprint: rows[0] === undefined ? null : `${id} ${String(rows[0].ts)}`,
    // A task of another one contains nothing of it.
    parent: parentId === null ? null : { id: parentId, since: '' },
  };
}

function folderInHistory(folder: string, id: string): string | null {
  const history = parseJson(readRegularFile(join(dirname(dirname(folder)), 'state', 'taskHistory.json')));
  const item = asList(history)
    .map(asRecord)
    .find((one) => one?.id === id);
  return asText(item?.cwdOnTaskInitialization);
}

function folderTold(rows: Row[]): string | null {
  for (const { say, text } of rows.slice(0, FIRST_ROWS)) {
    const sent = say === 'api_req_started' ? asRecord(parseJson(asText(text) ?? '')) : null;
    const found = TOLD.exec(asText(sent?.request) ?? '')?.[1];
    if (found !== undefined) return found;
  }
  return null;
}

const FIRST_ROWS = 20;
const TOLD = /# Current (?:Working|Workspace) Directory \((.{1,1000})\)/;

function jsonIn(path: string): Row | null {
  return asRecord(parseJson(readRegularFile(path, 1024 * 1024)));
}
