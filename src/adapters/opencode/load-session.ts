import { SmartForkError } from '../../domain/errors.ts';
import type { SkippedLine } from '../../ports/transcript-source.ts';
import { asNumber, asRecord, asText, parseJson } from '../jsonl/read-value.ts';
import type { SessionDocument } from '../records/document-format.ts';
import type { Row, SessionAbout } from '../records/row-format.ts';
import { placeOf } from './find-sessions.ts';
import { readDatabase } from './read-database.ts';
import { readSessionFiles } from './session-files.ts';

/** A session's messages, each with its parts. What was reverted is left out. */
export function loadSession(path: string): SessionDocument {
  const place = placeOf(path);
  const found = place === null ? readSessionFiles(path) : readSession(place.database, place.sessionId);
  if (found === null)
    throw new SmartForkError('TRANSCRIPT_UNREADABLE', `cannot read ${path}: no such session`, {
      hint: 'OpenCode may have deleted it.',
    });
  const { session, messages, parts } = found;
  const unread = unreadIn(found);
  const rows = withoutReverted(messages, session).map((message) => rowOf(message, session, parts));
  const first = rows.find((row) => row.role === 'user');
  const created = asNumber(asRecord(first?.time)?.created);
  const title = asText(session.title);
  const isOwn = title !== null && !UNNAMED.test(title);
  return {
    about: {
      sessionId: asText(session.id) ?? '',
      cwd: asText(session.directory),
      fingerprint: fingerprintOf(created),
      parent: null,
      branch: null,
      version: asText(session.version),
      title: isOwn ? { source: 'ai', text: title } : null,
    },
    rows,
    unread,
  };
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
function unreadIn({ messages, parts }: Found): SkippedLine[] {
  const places = new Map(messages.map(({ id }, at) => [id, at + 1]));
  return [...parts].flatMap(([id, those]) => {
    const line = places.get(id);
    if (line === undefined)
      return those.map(() => ({ line: messages.length, reason: 'no such shape' as const }));
    return those.flatMap(({ data }): SkippedLine[] => {
      const value = parseJson(asText(data) ?? '');
      if (asRecord(value) !== null) return [];
      return [{ line, reason: value === undefined ? 'not JSON' : 'not an object' }];
    });
  });
}

export function titleOf({ title }: SessionAbout): string | null {
  return title?.text ?? null;
}

/** What OpenCode calls a session until it has a title. */
const UNNAMED = /^(?:New|Child) session - \d{4}-/;

interface Found {
  session: Row;
  messages: Row[];
  parts: Map<unknown, Row[]>;
}

function readSession(database: string, id: string): Found | null {
  return readDatabase(database, (all) => {
    const [session] = all(
      'SELECT id, title, directory, version, revert, time_created FROM session WHERE id = ?',
      id,
    );
    if (session === undefined) return null;
    const messages = all('SELECT id, data FROM message WHERE session_id = ? ORDER BY time_created, id', id);
    const parts = new Map<unknown, Row[]>();
    for (const part of all('SELECT message_id, data FROM part WHERE session_id = ? ORDER BY id', id)) {
      const known = parts.get(part.message_id);
      if (known === undefined) parts.set(part.message_id, [part]);
      else known.push(part);
    }
    return { session, messages, parts };
  });
}

function rowOf(message: Row, session: Row, parts: Map<unknown, Row[]>): Row {
  return {
    ...asRecord(parseJson(asText(message.data) ?? '')),
    id: message.id,
    sessionCreated: session.time_created,
    parts: (parts.get(message.id) ?? []).map((part) => parseJson(asText(part.data) ?? '')),
  };
}

function withoutReverted(messages: Row[], session: Row): Row[] {
  const revert = asRecord(parseJson(asText(session.revert) ?? ''));
  const at = messages.findIndex((message) => message.id === revert?.messageID);
  return at < 0 ? messages : messages.slice(0, at);
}
