import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { OnProblem } from '../../ports/transcript-source.ts';
import { readRegularFile, statOf } from '../files/look-at-path.ts';
import { listFolder } from '../jsonl/list-folder.ts';
import { asId, asNumber, asRecord, asText, parseJson } from '../jsonl/read-value.ts';
import type { Row } from '../records/row-format.ts';
import type { StoredSession } from './stored-session.ts';

/**
 * The files that OpenCode wrote before 1.2, as the rows that its database has now: `storage/session/<project>/<session>.json`,
 * `storage/message/<session>/<message>.json` and `storage/part/<message>/<part>.json`. Before 0.6, each project had a folder of its own:
 * `project/<project>/storage/session/info/<session>.json`, and beside `info` `message` and, by session and message, `part`.
 */
export function sessionFilesIn(folder: string, onProblem?: OnProblem): string[] {
  const sessions = join(folder, 'storage', 'session');
  const projects = join(folder, 'project');
  return [
    ...listFolder(sessions, onProblem).map(({ name }) => join(sessions, name)),
    ...listFolder(projects, onProblem).map(({ name }) => join(projects, name, 'storage', 'session', INFO)),
  ].flatMap((own) => namesIn(own).map((name) => join(own, `${name}.json`)));
}

const INFO = 'info';

/** Whether a path has the form of a session's file. */
export function isSessionFile(path: string): boolean {
  return path.endsWith('.json') && basename(dirname(dirname(path))) === 'session';
}

/** A session's row, with the marks that show whether it changed; null if the file cannot be read. */
export function rowOfFile(path: string): Row | null {
  const stat = statOf(path);
  const session = stat?.isFile() === true ? asRecord(parseJson(readRegularFile(path))) : null;
  if (session === null) return null;
  const names = namesIn(messagesOf(path, session));
  // Names sort by time. OpenCode writes a message again when it is complete, and the session at each prompt.
  const last = names.at(-1);
  const changed = last === undefined ? 0 : statOf(join(messagesOf(path, session), `${last}.json`))?.mtimeMs;
  return {
    ...session,
    parent_id: session.parentID,
    revert: JSON.stringify(session.revert ?? null),
    time_created: asNumber(asRecord(session.time)?.created),
    time_updated: stat?.mtimeMs,
    messages: names.length,
    changed,
  };
}

/** A session as it would be stored now; null if its file cannot be read. */
export function readSessionFiles(path: string): StoredSession | null {
  const session = rowOfFile(path);
  if (session === null) return null;
  const folder = messagesOf(path, session);
  const messages = namesIn(folder)
    .map((name) => {
      const data = readRegularFile(join(folder, `${name}.json`));
      const value = parseJson(data);
      const created = asNumber(asRecord(asRecord(value)?.time)?.created) ?? 0;
      const id = asId(asRecord(value)?.id) ?? name;
      const own = partsOf(path, session, id);
      const parts = namesIn(own).map((part) => {
        const text = readRegularFile(join(own, `${part}.json`));
        return { id: part, data: text, value: parseJson(text) };
      });
      return { id, data, value, created, parts };
    })
    .sort((a, b) => a.created - b.created);
  return { session, messages, strays: 0 };
}

function isByProject(path: string): boolean {
  return basename(dirname(path)) === INFO;
}

/** The folder that has one for messages and one for parts. */
function storageOf(path: string): string {
  return isByProject(path) ? dirname(dirname(path)) : dirname(dirname(dirname(path)));
}

function messagesOf(path: string, session: Row): string {
  return join(storageOf(path), 'message', idOf(session));
}

function partsOf(path: string, session: Row, messageId: string): string {
  return join(storageOf(path), 'part', isByProject(path) ? idOf(session) : '', messageId);
}

function idOf({ id }: Row): string {
  return asText(id) === asId(id) ? String(id) : '';
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .map((name) => basename(name, '.json'))
      .sort();
  } catch {
    return [];
  }
}
