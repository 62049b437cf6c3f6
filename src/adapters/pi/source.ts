import { basename, dirname, join } from 'node:path';
import { totalOf } from '../../domain/usage/usage.ts';
import type { ConversationMessage, CreateRequest } from '../../ports/agent/conversation.ts';
import type { TranscriptSource } from '../../ports/transcript-source.ts';
import { resolveLinks } from '../files/resolve-links.ts';
import { listFolder } from '../jsonl/list-folder.ts';
import { asCount, asId, asRecord, asText, asTime } from '../jsonl/read-value.ts';
import { ROOT } from '../records/find-abandoned.ts';
import type { LinesFormat } from '../records/lines-format.ts';
import { createLinesSource } from '../records/lines-source.ts';
import type { Row, SessionAbout } from '../records/row-format.ts';
import { tellRow, unknownIn } from './tell-row.ts';

export function createPiSource({ homes }: { homes: string[] }): TranscriptSource {
  return createLinesSource(piFormat, homes);
}

/** Pi's session files: versions 1 (a list of entries), 2 and 3 (a tree of entries). */
const piFormat: LinesFormat = {
  agent: 'pi',
  folders: (home) => [sessionsIn(home)],
  idIn,
  about,
  tell: tellRow,
  unknownIn,
  timestampOf: (row) => asTime(row.timestamp),
  linkOf({ type, id, parentId }) {
    // Version 1 is a list.
    const own = type === 'session' || parentId === undefined ? null : asText(id);
    return own === null ? null : { id: own, parentId: asText(parentId) ?? ROOT };
  },
  usageOf,
  contextAfter(row) {
    if (row.type === 'compaction') return null;
    const tokens = usageOf(row)?.tokens;
    return tokens && { tokens: totalOf(tokens), window: null };
  },
  commands: {
    // Pi asks before it opens another folder's session by its id; a path is opened at once.
    resumeTarget: ({ sessionId, path }, cwd) =>
      cwd !== null && basename(dirname(path)) === folderName(cwd) ? sessionId : path,
    resume: (target) => ['pi', '--session', target],
    fork: (target) => ['pi', '--fork', target],
    start: (prompt) => ['pi', prompt],
    ask: (target, question) => ['pi', '--session', target, '--tools', 'read,grep,find,ls', '-p', question],
    fileReference: (path) => path,
  },
  copyName: (sessionId) => `${sessionId}.jsonl`,
  restorePath(home, sessionId, cwd) {
    const folder = sessionsIn(home);
    return join(folder === home ? folder : join(folder, folderName(cwd)), `${sessionId}.jsonl`);
  },
  copiedRow: (row, { sessionId, cwd, origin, now }, isFirst) =>
    isFirst ? { ...row, id: sessionId, timestamp: now, cwd, parentSession: origin } : null,
  createdRows,
};

/** A folder that a setting names has the sessions of all projects. */
function sessionsIn(home: string): string {
  return listFolder(home).some(({ name }) => OF_SESSIONS.test(name)) ? home : join(home, 'sessions');
}

const OF_SESSIONS = /^(?:\d{4}-\d\d-\d\dT[\w-]{1,200}\.jsonl|--.{1,250}--)$/;

/** A file of version 3. */
function createdRows({ conversation, sessionId, workingDirectory }: CreateRequest): Row[] {
  const timestamp = new Date().toISOString();
  const head = { type: 'session', version: 3, id: sessionId, timestamp, cwd: workingDirectory };
  const id = (at: number) => (at < 0 ? null : at.toString(16).padStart(8, '0'));
  const entries = conversation.messages.map((message, at) => ({
    type: 'message',
    id: id(at),
    parentId: id(at - 1),
    timestamp: message.timestamp,
    message: messageOf(message),
  }));
  const name = { type: 'session_info', id: id(entries.length), parentId: id(entries.length - 1), timestamp };
  return [head, ...entries, { ...name, name: conversation.title }];
}

function messageOf({ role, text, timestamp }: ConversationMessage): Row {
  const said = { role, content: [{ type: 'text', text }], timestamp: Date.parse(timestamp) };
  if (role === 'user') return said;
  const none = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
  const usage = { ...none, totalTokens: 0, cost: none };
  // No provider has this name: Pi then starts with its own model.
  return { ...said, api: 'imported', provider: 'imported', model: 'imported', usage, stopReason: 'stop' };
}

/** Files are named `<time>_<id>.jsonl`. */
function idIn(path: string): string | null {
  return /^(?:[\dTZ-]+_)?([\w-]{1,100})\.jsonl$/.exec(basename(path))?.[1] ?? null;
}

function about(rows: Row[]): SessionAbout | null {
  const [head] = rows;
  const sessionId = asId(head?.id);
  const began = asTime(head?.timestamp);
  if (head?.type !== 'session' || sessionId === null || began === null) return null;
  const parentId = idIn(asText(head.parentSession) ?? asText(head.branchedFrom) ?? '');
  const first = rows.find((row) => row.type === 'message');
  return {
    sessionId,
    cwd: asText(head.cwd),
    // Entries of a migrated file get new ids, but keep their times.
    fingerprint: first === undefined ? null : `pi ${asTime(first.timestamp)}`,
    parent: parentId === null || parentId === sessionId ? null : { id: parentId, since: began },
  };
}

function usageOf(row: Row) {
  const message = row.type === 'message' ? asRecord(row.message) : null;
  const usage = asRecord(message?.usage);
  if (message?.role !== 'assistant' || usage === null) return null;
  const tokens = {
    input: asCount(usage.input),
    output: asCount(usage.output),
    cacheRead: asCount(usage.cacheRead),
    cacheWrite: asCount(usage.cacheWrite),
  };
  return {
    id: `${asTime(row.timestamp)}:${Object.values(tokens).join(':')}`,
    model: asText(message.model),
    tokens,
  };
}

/** The name of Pi's folder for a working directory. */
function folderName(cwd: string): string {
  const name = resolveLinks(cwd)
    .replace(/^[/\\]/, '')
    .replace(/[/\\:]/g, '-');
  return `--${name}--`;
}
