import { basename } from 'node:path';
import type { SkippedLine } from '../../ports/transcript-source.ts';
import { readText } from '../jsonl/open-file.ts';
import { asId, asList, asRecord, asText, asTime, parseJson } from '../jsonl/read-value.ts';
import type { SessionDocument } from '../records/document-format.ts';
import type { Row, SessionAbout } from '../records/row-format.ts';
import { type LineRow, rowsOfText } from '../records/rows-of-text.ts';
import { textOf } from '../records/text-of.ts';
import { inspectChat, projectOf } from './find-chats.ts';
import { isSummary } from './tell-row.ts';

/**
 * The messages that are left after all lines of a chat: a line with a known id replaces that message, `$set.messages` replaces all but
 * in a compaction, and `$rewindTo` takes back a message and all after it, until they are written again.
 */
export function loadChat(path: string): SessionDocument {
  const { lines, unread } = linesOf(path);
  const { heads, messages, rewound, compacted, imported } = replay(lines, unread);
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
      title: titled(asText(head.summary)),
    },
    rows,
    rewound,
    compacted,
    unread,
  };
}

function titled(summary: string | null): SessionAbout['title'] {
  return summary === null ? null : { source: 'ai', text: summary };
}

interface Replayed {
  heads: Row[];
  messages: Map<string, Row>;
  rewound: Set<string>;
  compacted: Set<string>;
  imported: { path: string; at: string } | null;
}

function replay(lines: LineRow[], unread: SkippedLine[]): Replayed {
  const state: Replayed = {
    heads: [],
    messages: new Map(),
    rewound: new Set(),
    compacted: new Set(),
    imported: null,
  };
  for (const { line, row } of lines) {
    const set = asRecord(row.$set);
    const rewind = asText(row.$rewindTo);
    const isHead = set !== null || asText(row.sessionId) !== null;
    const isKnown =
      rewind !== null
        ? rewindTo(rewind, state)
        : isHead
          ? takeHead(set ?? row, state)
          : takeMessage(row, state);
    if (!isKnown) unread.push({ line, reason: 'no such shape' });
  }
  return state;
}

/** These return whether everything in the line has the shape of its kind. */
function takeHead({ messages, ...head }: Row, state: Replayed): boolean {
  state.heads.push(head);
  if (!Array.isArray(messages)) return true;
  if (messages.some((message) => isSummary(textOf(asRecord(message)?.content).trim())))
    for (const id of state.messages.keys()) state.compacted.add(id);
  else {
    state.messages.clear();
    state.rewound.clear();
  }
  return messages.map((message) => takeMessage(asRecord(message) ?? {}, state)).every(Boolean);
}

function takeMessage(message: Row, state: Replayed): boolean {
  const id = asText(message.id);
  const path = message.type === 'info' ? IMPORTED.exec(asText(message.content) ?? '')?.[1] : undefined;
  const at = asTime(message.timestamp);
  if (path !== undefined && at !== null) state.imported ??= { path, at };
  else if (id !== null) {
    state.messages.set(id, message);
    state.rewound.delete(id);
    state.compacted.delete(id);
  } else return false;
  return true;
}

const IMPORTED = /^Imported session from (.{1,4000})$/;

function rewindTo(id: string, { messages, rewound }: Replayed): boolean {
  const ids = [...messages.keys()];
  for (const gone of ids.slice(Math.max(0, ids.indexOf(id)))) rewound.add(gone);
  return true;
}

function linesOf(path: string): { lines: LineRow[]; unread: SkippedLine[] } {
  const text = readText(path);
  const whole = asRecord(parseJson(text));
  if (whole !== null) return { lines: [{ line: 1, row: whole }], unread: [] };
  if (path.endsWith('.json')) return { lines: [], unread: [{ line: 1, reason: 'not JSON' }] };
  const { rows, unread } = rowsOfText(text);
  return { lines: rows, unread };
}

/** The folder that Gemini tells the model of, in chats of versions that write it nowhere else. */
function folderIn(rows: Row[]): string | null {
  const text = asList(rows[0]?.content)
    .map((part) => asText(asRecord(part)?.text) ?? '')
    .join('\n');
  return /^ {2}- (\/.{1,1000})$/m.exec(text.slice(0, 4000))?.[1] ?? null;
}
