import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { CreateRequest } from '../../ports/agent/conversation.ts';
import type { CutRequest, TranscriptSource } from '../../ports/transcript-source.ts';
import { asCount, asNumber, asRecord, asText, asTime } from '../jsonl/read-value.ts';
import type { DocumentFormat, SessionDocument } from '../records/document-format.ts';
import { createDocumentSource } from '../records/document-source.ts';
import type { Row } from '../records/row-format.ts';
import { findChats, folderFor, inspectChat, projectsIn, subagentPath } from './find-chats.ts';
import { loadChat } from './load-chat.ts';
import { tellRow, unknownIn } from './tell-row.ts';

export function createGeminiSource({ homes }: { homes: string[] }): TranscriptSource {
  return createDocumentSource(geminiFormat, homes);
}

/** Gemini CLI's chats: JSON files that it rewrites and, since 0.40, lines that replace earlier ones. */
const geminiFormat: DocumentFormat = {
  agent: 'gemini',
  folders: (home) => [projectsIn(home)],
  find: findChats,
  inspect: inspectChat,
  load: loadChat,
  tell: tellRow,
  unknownIn,
  timestampOf: (row) => asTime(row.timestamp),
  usageOf,
  contextAfter(row) {
    const total = asNumber(asRecord(row.tokens)?.total);
    return total === null || total === 0 ? undefined : { tokens: total, window: null };
  },
  commands: {
    resumeTarget: ({ path }) => path,
    resume: (path) => ['gemini', '--resume', inspectChat(path)?.sessionId ?? path],
    // It imports a file as a new session.
    fork: (path) => ['gemini', '--session-file', path],
    start: (prompt) => ['gemini', '-i', prompt],
    ask: (path, question) => [
      ...['gemini', '--approval-mode', 'plan', '--resume', inspectChat(path)?.sessionId ?? path],
      ...['-p', question],
    ],
    fileReference: (path) => `@${path}`,
  },
  copyName: (sessionId) => `${sessionId}.gemini.jsonl`,
  restorePath: (home, sessionId, cwd) =>
    join(projectsIn(home), folderFor(home, cwd), 'chats', `session-${sessionId}.jsonl`),
  subagentPath,
  copyOf,
  createdText,
};

/** Its input includes what was read from the cache. */
function usageOf(row: Row) {
  const usage = asRecord(row.tokens);
  if (row.type !== 'gemini' || usage === null) return null;
  const cacheRead = asCount(usage.cached);
  const tokens = {
    input: Math.max(0, asCount(usage.input) - cacheRead),
    output: asCount(usage.output) + asCount(usage.thoughts),
    cacheRead,
    cacheWrite: 0,
  };
  return { id: asText(row.id) ?? `${asTime(row.timestamp)}`, model: asText(row.model), tokens };
}

/** As `gemini --session-file` copies a session: a note names the file that it came from. */
function copyOf(
  { rows, rewound, compacted }: SessionDocument,
  { end, sessionId, workingDirectory }: CutRequest,
  origin: string,
): string {
  const now = new Date();
  const note = {
    id: `import-${now.getTime()}`,
    type: 'info',
    content: `Imported session from ${origin}`,
    timestamp: now.toISOString(),
  };
  const isLive = ({ id }: Row) => rewound?.has(String(id)) !== true && compacted?.has(String(id)) !== true;
  const copied = rows.slice(0, end);
  // A copy that ends in a turn that was taken back or compacted later is as the session was then.
  const last = copied.at(-1);
  const kept = last !== undefined && isLive(last) ? copied.filter(isLive) : copied;
  return linesOf([headOf(sessionId, workingDirectory), note, ...kept]);
}

function createdText({ conversation, sessionId, workingDirectory }: CreateRequest): string {
  const rows = conversation.messages.map(({ role, text, timestamp }) => ({
    id: randomUUID(),
    timestamp,
    type: role === 'user' ? 'user' : 'gemini',
    content: role === 'user' ? [{ text }] : text,
  }));
  const head = headOf(sessionId, workingDirectory, conversation.title);
  return linesOf([head, ...rows]);
}

function headOf(sessionId: string, workingDirectory: string, summary?: string): Row {
  const time = new Date().toISOString();
  const projectHash = createHash('sha256').update(workingDirectory).digest('hex');
  return { sessionId, projectHash, startTime: time, lastUpdated: time, kind: 'main', summary };
}

function linesOf(rows: object[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}
