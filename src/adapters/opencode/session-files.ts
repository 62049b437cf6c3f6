import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { OnProblem } from '../../ports/transcript-source.ts';
import { readRegularFile, statOf } from '../files/look-at-path.ts';
import { listFolder } from '../jsonl/list-folder.ts';
import { asId, asNumber, asRecord, asText, parseJson } from '../jsonl/read-value.ts';
import type { Row } from '../records/row-format.ts';

/**
 * The files that OpenCode wrote before 1.2, as the rows that its database has now: `storage/session/<project>/<session>.json`,
 * `storage/message/<session>/<message>.json` and `storage/part/<message>/<part>.json`.
 */
export function sessionFilesIn(folder: string, onProblem?: OnProblem): string[] {
  const sessions = join(folder, 'storage', 'session');
  return listFolder(sessions, onProblem).flatMap((project) =>
    namesIn(join(sessions, project.name)).map((name) => join(sessions, project.name, `${name}.json`)),
  );
}

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

/** A session's rows; null if its file cannot be read. */
export function readSessionFiles(path: string) {
  const session = rowOfFile(path);
  if (session === null) return null;
  const folder = messagesOf(path, session);
  const messages = namesIn(folder)
    .map((name) => {
      const data = readRegularFile(join(folder, `${name}.json`));
      const message = asRecord(parseJson(data));
      const created = asNumber(asRecord(message?.time)?.created) ?? 0;
      return { id: asId(message?.id) ?? name, data, created };
    })
    .sort((a, b) => a.created - b.created);
  const parts = messages.map(({ id }): [unknown, Row[]] => {
    const own = join(storageOf(path), 'part', String(id));
    return [id, namesIn(own).map((name) => ({ data: readRegularFile(join(own, `${name}.json`)) }))];
  });
  return { session, messages, parts: new Map(parts) };
}

function storageOf(path: string): string {
  return dirname(dirname(dirname(path)));
}

function messagesOf(path: string, session: Row): string {
  return join(storageOf(path), 'message', asText(session.id) === asId(session.id) ? String(session.id) : '');
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
