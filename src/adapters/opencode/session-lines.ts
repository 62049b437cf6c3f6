import { readFileSync } from 'node:fs';
import { readRegularFile } from '../files/look-at-path.ts';
import { asId, asList, asNumber, asRecord, asText, parseJson } from '../jsonl/read-value.ts';
import type { Row } from '../records/row-format.ts';
import type { StoredMessage, StoredRow, StoredSession } from './stored-session.ts';

/**
 * A session as lines, in which it is archived: `{"info": …}`, then `{"info": …, "parts": […]}` for each message, as `opencode import`
 * reads them in one object. What OpenCode changes at every prompt, its totals and the time of the last change, is not in them: so
 * they only grow at their end.
 */
export function linesOf({ session, messages }: StoredSession): string[] {
  if (messages.length === 0) return [];
  const sessionID = session.id;
  const lines = messages.map(({ id, parts, ...own }) => {
    const ownParts = parts.map((part) => objectOf(part, { id: part.id, messageID: id, sessionID }));
    return `{"info":${objectOf(own, { id, sessionID })},"parts":[${ownParts.join(',')}]}`;
  });
  return [JSON.stringify({ info: infoOf(session) }), ...lines];
}

/** The text of a copy without what `opencode import` changes: the session's folder, and the order of names in an object. */
export function comparableText(text: string): string {
  return text.split('\n').map(comparableLine).join('\n');
}

function comparableLine(line: string): string {
  const row = asRecord(parseJson(line));
  if (row === null) return line;
  return JSON.stringify({ ...row, info: { ...asRecord(row.info), directory: undefined } }, inOrder);
}

function inOrder(_: string, value: unknown): unknown {
  const row = asRecord(value);
  return row === null ? value : Object.fromEntries(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The session's row in the words of an export. */
function infoOf(session: Row): Row {
  const json = (value: unknown) => parseJson(asText(value) ?? '') ?? undefined;
  return {
    id: session.id,
    parentID: session.parent_id ?? undefined,
    slug: session.slug ?? 'imported',
    projectID: 'global',
    directory: session.directory,
    title: session.title,
    agent: session.agent ?? undefined,
    model: json(session.model),
    version: session.version,
    metadata: json(session.metadata),
    permission: json(session.permission),
    revert: json(session.revert),
    time: { created: session.time_created, archived: session.time_archived ?? undefined },
  };
}

/** Damaged data is left out. */
function objectOf({ data, value }: Pick<StoredRow, 'data' | 'value'>, ids: Row): string {
  const begin = JSON.stringify(ids);
  if (asRecord(value) === null) return begin;
  // OpenCode writes no spaces and no line ends.
  if (data.startsWith('{"') && !data.includes('\n')) return `${begin.slice(0, -1)},${data.slice(1)}`;
  return JSON.stringify({ ...asRecord(value), ...ids });
}

/** Whether a file's name is that of such a copy. */
export function isCopy(path: string): boolean {
  return path.endsWith(COPY);
}

export const COPY = '.opencode.jsonl';

/** The session's row in a copy; null if another program wrote the file. */
export function rowOfCopy(path: string): Row | null {
  const first = readRegularFile(path, HEAD_BYTES).split('\n', 1)[0] ?? '';
  const info = asRecord(asRecord(parseJson(first))?.info);
  const time = asRecord(info?.time);
  if (info === null || asId(info.id) === null || asNumber(time?.created) === null) return null;
  return {
    ...info,
    parent_id: info.parentID,
    model: JSON.stringify(info.model),
    metadata: JSON.stringify(info.metadata),
    permission: JSON.stringify(info.permission),
    revert: JSON.stringify(info.revert),
    time_created: time?.created,
    time_archived: time?.archived,
  };
}

/** More than the row takes: it has the session's title, and rules of what is permitted. */
const HEAD_BYTES = 1024 * 1024;

export function readCopy(path: string): StoredSession | null {
  const session = rowOfCopy(path);
  if (session === null) return null;
  const messages = readFileSync(path, 'utf8')
    .split('\n')
    .slice(1)
    .flatMap((line): StoredMessage[] => {
      const message = asRecord(parseJson(line));
      const own = storedRow(asRecord(message?.info), ['id', 'sessionID']);
      if (own === null) return [];
      const parts = asList(message?.parts).flatMap(
        (part) => storedRow(asRecord(part), ['id', 'messageID', 'sessionID']) ?? [],
      );
      return [{ ...own, parts }];
    });
  return { session, messages, strays: 0 };
}

function storedRow(row: Row | null, ids: string[]): StoredRow | null {
  if (row === null) return null;
  const value = Object.fromEntries(Object.entries(row).filter(([name]) => !ids.includes(name)));
  return { id: row.id, data: JSON.stringify(value), value };
}

/** A copy as `opencode import` reads it. Messages and parts that were damaged are left out. */
export function importOf(path: string): { info: Row; messages: Row[] } | null {
  const stored = readCopy(path);
  if (stored === null) return null;
  const { session } = stored;
  const sessionID = session.id;
  const messages = stored.messages
    .filter(({ value }) => asRecord(value)?.role !== undefined)
    .map(({ id, value, parts }) => ({
      info: { ...asRecord(value), id, sessionID },
      parts: parts
        .filter((part) => asRecord(part.value)?.type !== undefined)
        .map((part) => ({ ...asRecord(part.value), id: part.id, messageID: id, sessionID })),
    }));
  const times = messages.flatMap(({ info }) => {
    const { created, completed } = asRecord((info as Row).time) ?? {};
    return asNumber(completed) ?? asNumber(created) ?? [];
  });
  const info = infoOf(session);
  const time = {
    ...asRecord(info.time),
    updated: Math.max(asNumber(session.time_created) ?? 0, ...times.slice(-2)),
  };
  return { info: { ...info, time }, messages };
}
