import { basename } from 'node:path';
import { SmartForkError } from '../../domain/errors.ts';
import type { SkippedLine } from '../../ports/transcript-source.ts';
import { readText } from '../jsonl/open-file.ts';
import { asRecord, asText, parseJson } from '../jsonl/read-value.ts';
import type { SessionDocument } from '../records/document-format.ts';
import { readDatabase } from '../records/read-database.ts';
import type { Row, SessionAbout } from '../records/row-format.ts';
import { rowsOfText } from '../records/rows-of-text.ts';
import { contentOf, headOf, millisecondsOf, placeOf } from './find-sessions.ts';

interface Found {
  head: Row;
  messages: Row[];
  unread: SkippedLine[];
  /** A file's lines; null for a session in a database. */
  written: string[] | null;
}

export function loadSession(path: string): SessionDocument {
  const { head, messages, unread, written } = found(path);
  const model = asText(asRecord(parseJson(asText(head.model_config_json) ?? ''))?.model_name);
  const rows = messages.map((message): Row => {
    const time = millisecondsOf(message.created ?? message.created_timestamp);
    const metadata = message.metadata ?? parseJson(asText(message.metadata_json) ?? '');
    return {
      id: message.id ?? message.message_id,
      role: message.role,
      content: contentOf(message),
      metadata,
      model,
      created: message.created ?? message.created_timestamp,
      time: time === null ? null : new Date(time).toISOString(),
    };
  });
  return {
    about: { ...aboutOf(path, head, rows[0]), title: titleOf(head) },
    rows,
    unread,
    lines: (end) =>
      written?.slice(0, end < rows.length ? end : undefined) ??
      (rows.length === 0 ? [] : [JSON.stringify(descriptionOf(head)), ...rows.slice(0, end).map(lineOf)]),
  };
}

function titleOf({ name, description, user_set_name }: Row): SessionAbout['title'] {
  const text = asText(name) || asText(description);
  if (!text || UNNAMED.has(text)) return null;
  return { source: user_set_name === 1 ? 'custom' : 'ai', text };
}

/** What Goose calls a session until it has a name. */
const UNNAMED = new Set(['New Chat', 'CLI Session', 'ACP Session']);

/** Where a session ran and when it began, without its messages, which are nearly all of a database. */
export function aboutSession(path: string): Pick<SessionAbout, 'fingerprint' | 'cwd'> {
  const place = placeOf(path);
  if (place === null) return loadSession(path).about;
  const [row] = readDatabase(place.database, (all) =>
    all(
      `SELECT s.working_dir, (SELECT created_timestamp FROM messages WHERE session_id = s.id ORDER BY id LIMIT 1) AS created FROM sessions s WHERE s.id = ?`,
      place.sessionId,
    ),
  );
  return aboutOf(path, row ?? {}, row);
}

function aboutOf(path: string, head: Row, first: Row | undefined): SessionAbout {
  const created = millisecondsOf(first?.created);
  return {
    sessionId: placeOf(path)?.sessionId ?? basename(path, '.jsonl'),
    cwd: asText(head.working_dir),
    // A copy of a session keeps the times of its messages.
    fingerprint: created === null ? null : `goose ${created}`,
  };
}

function descriptionOf({ working_dir, model_config_json, created_at }: Row): Row {
  return {
    working_dir,
    model_config_json: model_config_json ?? undefined,
    created_at: created_at ?? undefined,
  };
}

/** As Goose wrote a message before it had a database. */
function lineOf({ id, role, created, content, metadata }: Row): string {
  return JSON.stringify({ role, created, content, id: id ?? undefined, metadata: metadata ?? undefined });
}

function found(path: string): Found {
  const place = placeOf(path);
  if (place === null) return inFile(path);
  const stored = readDatabase(place.database, (all): Found | null => {
    const [head] = all('SELECT * FROM sessions WHERE id = ?', place.sessionId);
    if (head === undefined) return null;
    const messages = all('SELECT * FROM messages WHERE session_id = ? ORDER BY id', place.sessionId);
    return { head, messages, unread: [], written: null };
  });
  if (stored !== null) return stored;
  throw new SmartForkError('TRANSCRIPT_UNREADABLE', `cannot read ${path}: no such session`, {
    hint: 'Goose may have deleted it.',
  });
}

function inFile(path: string): Found {
  const text = readText(path);
  const lines = text.split('\n');
  const { rows, unread } = rowsOfText(text);
  const head = headOf(parseJson(lines[0] ?? ''));
  const messages = rows.map(({ row }) => row).slice(head === null ? 0 : 1);
  return { head: head ?? {}, messages, unread, written: lines.at(-1) === '' ? lines.slice(0, -1) : lines };
}
