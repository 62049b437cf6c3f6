import { randomUUID } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import type { CreateRequest } from '../../ports/agent/conversation.ts';
import type { TranscriptSource } from '../../ports/transcript-source.ts';
import { resolveLinks } from '../files/resolve-links.ts';
import { asCount, asId, asNumber, asRecord, asText, asTime } from '../jsonl/read-value.ts';
import type { LinesFormat } from '../records/lines-format.ts';
import { createLinesSource } from '../records/lines-source.ts';
import type { Row, SessionAbout } from '../records/row-format.ts';
import { tellRow, unknownIn } from './tell-row.ts';

export function createQwenSource({ homes }: { homes: string[] }): TranscriptSource {
  return createLinesSource(qwenFormat, homes);
}

/** Qwen Code's chats. */
const qwenFormat: LinesFormat = {
  agent: 'qwen',
  folders: (home) => [join(home, 'projects')],
  idIn,
  about,
  tell: tellRow,
  unknownIn,
  timestampOf: (row) => asTime(row.timestamp),
  isCopied: ({ forkedFrom }) => asRecord(forkedFrom) !== null,
  subagents: (path, sessionId) => ({
    folder: join(dirname(dirname(path)), SUBAGENTS, sessionId),
    prefix: 'agent-',
  }),
  linkOf({ uuid, parentUuid }) {
    const id = asText(uuid);
    // Slash commands have no parent, wherever they are.
    return id === null ? null : { id, parentId: asText(parentUuid) };
  },
  usageOf,
  contextAfter(row) {
    const total = asNumber(asRecord(row.usageMetadata)?.totalTokenCount);
    return row.type === 'assistant' && total !== null && total > 0
      ? { tokens: total, window: null }
      : undefined;
  },
  commands: {
    resumeTarget: ({ sessionId }) => sessionId,
    resume: (sessionId) => ['qwen', '--resume', sessionId],
    start: (prompt) => ['qwen', '-i', prompt],
    ask: (sessionId, question) => ['qwen', '--approval-mode', 'plan', '--resume', sessionId, '-p', question],
    fileReference: (path) => `@${path}`,
  },
  copyName: (sessionId) => `${sessionId}.jsonl`,
  restorePath: (home, sessionId, cwd) =>
    join(home, 'projects', resolveLinks(cwd).replace(/[^a-zA-Z0-9]/g, '-'), 'chats', `${sessionId}.jsonl`),
  copiedRow: (row, { sessionId, cwd }) => ({ ...row, sessionId, cwd }),
  createdRows,
};

function createdRows({ conversation, sessionId, workingDirectory }: CreateRequest): Row[] {
  let parentUuid: string | null = null;
  return conversation.messages.map(({ role, text, timestamp }) => {
    const side = { type: role, message: { role: role === 'user' ? 'user' : 'model', parts: [{ text }] } };
    const row = { uuid: randomUUID(), parentUuid, sessionId, timestamp, cwd: workingDirectory, ...side };
    parentUuid = row.uuid;
    return row;
  });
}

const SUBAGENTS = 'subagents';

function idIn(path: string): string | null {
  if (basename(dirname(dirname(path))) === SUBAGENTS) return null;
  return asId(/^([\w-]{1,100})\.jsonl$/.exec(basename(path))?.[1]);
}

function about(rows: Row[]): SessionAbout | null {
  const head = rows.find((row) => row.type === 'user' || row.type === 'assistant' || row.type === 'system');
  const sessionId = asId(head?.sessionId);
  const isQwen = rows.some(
    (row) => Array.isArray(asRecord(row.message)?.parts) || row.systemPayload !== undefined,
  );
  if (head === undefined || sessionId === null || !isQwen) return null;
  const parentId = asId(asRecord(head.forkedFrom)?.sessionId);
  return {
    sessionId,
    cwd: asText(head.cwd),
    fingerprint: asText(rows.find((row) => row.type === 'user')?.uuid),
    parent: parentId === null ? null : { id: parentId, since: '' },
    branch: asText(head.gitBranch),
    version: asText(head.version),
  };
}

/** Its input includes what was read from the cache; its output does not include the thoughts. */
function usageOf(row: Row) {
  const usage = asRecord(row.usageMetadata);
  if (row.type !== 'assistant' || usage === null) return null;
  const cacheRead = asCount(usage.cachedContentTokenCount);
  const tokens = {
    input: Math.max(0, asCount(usage.promptTokenCount) - cacheRead),
    output: asCount(usage.candidatesTokenCount) + asCount(usage.thoughtsTokenCount),
    cacheRead,
    cacheWrite: 0,
  };
  return { id: asText(row.uuid) ?? `${asTime(row.timestamp)}`, model: asText(row.model), tokens };
}
