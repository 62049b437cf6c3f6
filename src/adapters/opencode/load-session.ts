import { SmartForkError } from '../../domain/errors.ts';
import type { SkippedLine } from '../../ports/transcript-source.ts';
import { asNumber, asRecord, asText, parseJson } from '../jsonl/read-value.ts';
import type { SessionDocument } from '../records/document-format.ts';
import { readDatabase } from '../records/read-database.ts';
import type { Row, SessionAbout } from '../records/row-format.ts';
import { placeOf } from './find-sessions.ts';
import { readSessionFiles } from './session-files.ts';
import { isCopy, linesOf, readCopy } from './session-lines.ts';
import type { StoredMessage, StoredRow, StoredSession } from './stored-session.ts';

/** A session's messages, each with its parts. What was reverted is left out. */
export function loadSession(path: string): SessionDocument {
  const stored = readStored(path);
  if (stored === null)
    throw new SmartForkError('TRANSCRIPT_UNREADABLE', `cannot read ${path}: no such session`, {
      hint: 'OpenCode may have deleted it.',
    });
  const { session, messages } = stored;
  const rows = withoutReverted(messages, session).map((message) => rowOf(message, session));
  const first = rows.find((row) => row.role === 'user');
  const created = asNumber(asRecord(first?.time)?.created);
  const title = asText(session.title);
  const isOwn = title !== null && !UNNAMED.test(title);
  let lines: string[] | null = null;
  return {
    about: {
      sessionId: asText(session.id) ?? '',
      cwd: folderOfSession(session, rows),
      fingerprint: fingerprintOf(created),
      version: asText(session.version),
      title: isOwn ? { source: 'ai', text: title } : null,
    },
    rows,
    unread: unreadIn(stored),
    lines(end) {
      lines ??= linesOf(stored);
      return end < rows.length ? lines.slice(0, end + 1) : lines;
    },
  };
}

function readStored(path: string): StoredSession | null {
  if (isCopy(path)) return readCopy(path);
  const place = placeOf(path);
  return place === null ? readSessionFiles(path) : readSession(place.database, place.sessionId);
}

/** Before 0.6, only answers named the folder. */
function folderOfSession({ directory }: Row, rows: Row[]): string | null {
  const answer = rows.find(({ path }) => asRecord(path) !== null);
  return asText(directory) ?? asText(asRecord(answer?.path)?.cwd);
}

/** Where a session ran and when its first prompt was written, without its parts, which are nearly all of a database. */
export function aboutSession(path: string): Pick<SessionAbout, 'fingerprint' | 'cwd'> {
  const place = placeOf(path);
  if (place === null) return loadSession(path).about;
  const [row] = readDatabase(place.database, (all) =>
    all(
      `SELECT s.directory, (
         SELECT json_extract(data, '$.time.created') FROM message
         WHERE session_id = s.id AND CASE WHEN json_valid(data) THEN json_extract(data, '$.role') = 'user' END
         ORDER BY time_created, id LIMIT 1
       ) AS created FROM session s WHERE s.id = ?`,
      place.sessionId,
    ),
  );
  return { cwd: asText(row?.directory), fingerprint: fingerprintOf(asNumber(row?.created)) };
}

function fingerprintOf(created: number | null): string | null {
  return created === null ? null : `opencode ${created}`;
}

/** Parts that cannot be read, or whose message is missing. The line is the message's number. */
function unreadIn({ messages, strays }: StoredSession): SkippedLine[] {
  const unread = messages.flatMap(({ parts }, at) =>
    parts.flatMap(({ value }): SkippedLine[] => {
      if (asRecord(value) !== null) return [];
      return [{ line: at + 1, reason: value === undefined ? 'not JSON' : 'not an object' }];
    }),
  );
  for (let left = strays; left > 0; left--) unread.push({ line: messages.length, reason: 'no such shape' });
  return unread;
}

export function titleOf({ title }: SessionAbout): string | null {
  return title?.text ?? null;
}

/** What OpenCode calls a session until it has a title. */
const UNNAMED = /^(?:New|Child) session - \d{4}-/;

function readSession(database: string, id: string): StoredSession | null {
  return readDatabase(database, (all) => {
    const [session] = all('SELECT * FROM session WHERE id = ?', id);
    if (session === undefined) return null;
    const messages = all(
      'SELECT id, data FROM message WHERE session_id = ? ORDER BY time_created, id',
      id,
    ).map((row): StoredMessage => ({ ...storedRow(row), parts: [] }));
    const byId = new Map(messages.map((message) => [message.id, message]));
    let strays = 0;
    for (const row of all('SELECT id, message_id, data FROM part WHERE session_id = ? ORDER BY id', id)) {
      const message = byId.get(row.message_id);
      if (message === undefined) strays += 1;
      else message.parts.push(storedRow(row));
    }
    return { session, messages, strays };
  });
}

function storedRow(row: Row): StoredRow {
  const data = asText(row.data) ?? '';
  return { id: row.id, data, value: parseJson(data) };
}

function rowOf({ id, value, parts }: StoredMessage, session: Row): Row {
  return {
    ...asRecord(value),
    id,
    sessionCreated: session.time_created,
    parts: parts.map((part) => part.value),
  };
}

function withoutReverted(messages: StoredMessage[], session: Row): StoredMessage[] {
  const revert = asRecord(parseJson(asText(session.revert) ?? ''));
  const at = messages.findIndex((message) => message.id === revert?.messageID);
  return at < 0 ? messages : messages.slice(0, at);
}
