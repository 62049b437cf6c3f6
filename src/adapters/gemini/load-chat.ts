import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { unreadable } from '../jsonl/open-file.ts';
import { asId, asList, asRecord, asText, asTime, parseJson } from '../jsonl/read-value.ts';
import type { SessionDocument } from '../records/document-format.ts';
import type { Row, SessionAbout } from '../records/row-format.ts';
import { inspectChat, projectOf } from './find-chats.ts';

/**
 * The messages that are left after all lines of a chat: a line with a known id replaces that message, `$set.messages` replaces all,
 * and `$rewindTo` removes a message and all after it.
 */
export function loadChat(path: string): SessionDocument {
  const { heads, messages, imported } = replay(linesOf(path));
  const head = Object.assign({}, ...heads) as Row;
  const rows = [...messages.values()];
  const sessionId = asId(head.sessionId) ?? basename(path);
  const parentId = imported === null ? null : (inspectChat(imported.path)?.sessionId ?? null);
  const first = rows.find((row) => row.type === 'gemini');
  return {
    about: {
      sessionId,
      cwd: projectOf(path) ?? folderIn(rows),
      fingerprint: asText(first?.id),
      parent: parentId === null || imported === null ? null : { id: parentId, since: imported.at },
      branch: null,
      version: null,
      title: titled(asText(head.summary)),
    },
    rows,
  };
}

function titled(summary: string | null): SessionAbout['title'] {
  return summary === null ? null : { source: 'ai', text: summary };
}

interface Replayed {
  heads: Row[];
  messages: Map<string, Row>;
  imported: { path: string; at: string } | null;
}

function replay(lines: Row[]): Replayed {
  const state: Replayed = { heads: [], messages: new Map(), imported: null };
  for (const line of lines) {
    const set = asRecord(line.$set);
    const rewind = asText(line.$rewindTo);
    if (rewind !== null) dropFrom(state.messages, rewind);
    else if (set !== null || asText(line.sessionId) !== null) takeHead(set ?? line, state);
    else takeMessage(line, state);
  }
  return state;
}

function takeHead({ messages, ...head }: Row, state: Replayed): void {
  state.heads.push(head);
  if (!Array.isArray(messages)) return;
  state.messages.clear();
  for (const message of messages) takeMessage(asRecord(message) ?? {}, state);
}

function takeMessage(message: Row, state: Replayed): void {
  const id = asText(message.id);
  const path = message.type === 'info' ? IMPORTED.exec(asText(message.content) ?? '')?.[1] : undefined;
  const at = asTime(message.timestamp);
  if (path !== undefined && at !== null) state.imported ??= { path, at };
  else if (id !== null) state.messages.set(id, message);
}

const IMPORTED = /^Imported session from (.{1,4000})$/;

function dropFrom(messages: Map<string, Row>, id: string): void {
  const ids = [...messages.keys()];
  const at = ids.indexOf(id);
  for (const dropped of ids.slice(Math.max(0, at))) messages.delete(dropped);
}

function linesOf(path: string): Row[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw unreadable(path, error);
  }
  const whole = asRecord(parseJson(text));
  if (whole !== null) return [whole];
  return text
    .split('\n')
    .map((line) => asRecord(parseJson(line)))
    .filter((row) => row !== null);
}

/** The folder that Gemini tells the model of, in chats of versions that write it nowhere else. */
function folderIn(rows: Row[]): string | null {
  const text = asList(rows[0]?.content)
    .map((part) => asText(asRecord(part)?.text) ?? '')
    .join('\n');
  return /^ {2}- (\/.{1,1000})$/m.exec(text.slice(0, 4000))?.[1] ?? null;
}
