import { randomUUID } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { totalOf } from '../../domain/usage/usage.ts';
import type { CreateRequest } from '../../ports/agent/conversation.ts';
import type { TranscriptSource } from '../../ports/transcript-source.ts';
import { readRegularFile } from '../files/look-at-path.ts';
import { asCount, asId, asNumber, asRecord, asText, asTime, parseJson } from '../jsonl/read-value.ts';
import type { LinesFormat } from '../records/lines-format.ts';
import { createLinesSource } from '../records/lines-source.ts';
import type { RecordSink } from '../records/record-sink.ts';
import type { Row, SessionAbout } from '../records/row-format.ts';
import { orMarks, partsOf, textOf } from '../records/text-of.ts';

export function createCopilotSource({ homes }: { homes: string[] }): TranscriptSource {
  return createLinesSource(copilotFormat, homes);
}

/** The events of Copilot CLI's sessions. */
const copilotFormat: LinesFormat = {
  agent: 'copilot',
  folders: (home) => [join(home, 'session-state')],
  idIn,
  about,
  titleBeside,
  tell,
  unknownIn,
  timestampOf: (row) => asTime(row.timestamp),
  usageOf,
  contextAfter(row) {
    if (row.type === 'session.compaction_complete') return null;
    const tokens = usageOf(row)?.tokens;
    const window = asNumber(asRecord(asRecord(row.data)?.usage)?.maxPromptTokens);
    return tokens && { tokens: totalOf(tokens), window };
  },
  commands: {
    resumeTarget: ({ sessionId }) => sessionId,
    resume: (sessionId) => ['copilot', `--resume=${sessionId}`],
    start: (prompt) => ['copilot', '-i', prompt],
    fileReference: (path) => `@${path}`,
  },
  copyName: (sessionId) => `${sessionId}${COPY}`,
  restorePath: (home, sessionId) => join(home, 'session-state', sessionId, 'events.jsonl'),
  copiedRow(row, { sessionId, cwd }) {
    const data = row.type === 'session.start' ? asRecord(row.data) : null;
    if (data === null) return null;
    return { ...row, data: { ...data, sessionId, context: { ...asRecord(data.context), cwd } } };
  },
  createdRows,
};

/** As `copilot sessions import` writes them. */
function createdRows({ conversation, sessionId, workingDirectory: cwd }: CreateRequest): Row[] {
  const timestamp = new Date().toISOString();
  const start = { sessionId, version: 1, producer: 'copilot-agent', copilotVersion: '1.0.102' };
  const context = { startTime: timestamp, contextTier: null, context: { cwd }, alreadyInUse: false };
  const said = conversation.messages.map(({ role, text, timestamp: at }) => ({
    type: `${role}.message`,
    data: role === 'user' ? { content: text } : { messageId: randomUUID(), content: text },
    timestamp: Number.isNaN(Date.parse(at)) ? timestamp : at,
  }));
  let parentId: string | null = null;
  return [{ type: 'session.start', data: { ...start, ...context }, timestamp }, ...said].map((row) => {
    const own = { ...row, id: randomUUID(), parentId };
    parentId = own.id;
    return own;
  });
}

/** What the cache had counts as input, too. */
function usageOf(row: Row) {
  const usage = row.type === 'session.usage_record' ? asRecord(asRecord(row.data)?.usage) : null;
  const id = asText(row.id);
  if (usage === null || id === null) return null;
  const [cacheRead, cacheWrite] = [asCount(usage.cacheReadTokens), asCount(usage.cacheWriteTokens)];
  const input = Math.max(0, asCount(usage.inputTokens) - cacheRead - cacheWrite);
  const tokens = { input, output: asCount(usage.outputTokens), cacheRead, cacheWrite };
  return { id, model: asText(usage.model), tokens };
}

const COPY = '.copilot-events.jsonl';

/** A session has a folder of its own; older ones have a file. */
function idIn(path: string): string | null {
  const name = basename(path);
  if (name === 'events.jsonl') return asId(basename(dirname(path)));
  return asId(/^([\w-]{1,100})(?:\.copilot-events)?\.jsonl$/.exec(name)?.[1]);
}

function about(rows: Row[]): SessionAbout | null {
  const start = rows.find((row) => row.type === 'session.start');
  const data = asRecord(start?.data);
  const sessionId = asId(data?.sessionId);
  if (data === null || sessionId === null || data.producer === undefined) return null;
  const context = asRecord(data.context);
  return {
    sessionId,
    cwd: asText(context?.cwd),
    fingerprint: asText(rows.find((row) => row.type === 'user.message')?.id),
    branch: asText(context?.branch),
    version: asText(data.copilotVersion),
  };
}

/** `workspace.yaml` has the name that the user gave, or one that Copilot made of the conversation. */
function titleBeside(path: string): SessionAbout['title'] {
  if (basename(path) !== 'events.jsonl') return null;
  const text = readRegularFile(join(dirname(path), 'workspace.yaml'), 64 * 1024);
  const fields = new Map(text.split('\n').map(fieldIn));
  const title = fields.get('name') || fields.get('summary');
  if (!title) return null;
  return { source: fields.get('user_named') === 'true' ? 'custom' : 'ai', text: title };
}

/** The name and the value, which is quoted if it must be. */
function fieldIn(line: string): [string, string] {
  const at = line.indexOf(': ');
  const value = line.slice(at + 2).trim();
  if (/^(?:null$|~$|[|>])/.test(value)) return ['', ''];
  const isSingle = value.length > 1 && value.startsWith("'") && value.endsWith("'");
  const plain = isSingle ? value.slice(1, -1).replaceAll("''", "'") : (asText(parseJson(value)) ?? value);
  return [line.slice(0, Math.max(0, at)), plain];
}

function tell(row: Row, sink: RecordSink): boolean {
  const data = asRecord(row.data);
  if (typeof row.type !== 'string' || data === null) return false;
  // A subagent's events have the call that started it.
  if (data.parentToolCallId !== undefined) return true;
  const uuid = asText(row.id);
  switch (row.type) {
    case 'user.message':
      sink.said({ role: 'user', text: orMarks(textOf(data.content), data.attachments), uuid });
      break;
    case 'assistant.message':
      sink.thought?.(asText(data.reasoningText));
      sink.said({ role: 'assistant', text: textOf(data.content), uuid });
      for (const request of partsOf(data.toolRequests))
        sink.called({
          id: asText(request.toolCallId),
          tool: asText(request.name) ?? 'tool',
          input: request.arguments,
        });
      break;
    case 'tool.execution_complete': {
      const id = asText(data.toolCallId);
      const output = textOf(asRecord(data.result)?.content) || (asText(asRecord(data.error)?.message) ?? '');
      if (id !== null) sink.resulted({ id, output, failed: data.success === false, images: [] });
      break;
    }
    case 'session.model_change': {
      const model = asText(data.newModel);
      if (model !== null) sink.noted({ kind: 'context', model });
      break;
    }
    case 'session.title_changed': {
      const title = asText(data.title)?.trim();
      if (title) sink.noted({ kind: 'title', source: 'ai', text: title });
      break;
    }
    case 'session.compaction_complete':
      sink.compacted(asText(data.summaryContent));
      break;
  }
  return true;
}

/** See RowFormat; the kinds that versions up to 1.0 write. */
function unknownIn(row: Row): Row[] {
  const [family = '', name = ''] = (asText(row.type) ?? '').split('.');
  return EVENTS[family]?.split(' ').includes(name) === true ? [] : [row];
}

const EVENTS: Record<string, string> = {
  abort: '',
  assistant:
    'turn_start intent reasoning reasoning_delta message message_start message_delta streaming_delta turn_end usage',
  auto_mode_switch: 'requested completed',
  capabilities: 'changed',
  command: 'queued execute completed',
  commands: 'changed',
  elicitation: 'requested completed',
  exit_plan_mode: 'requested completed',
  external_tool: 'requested completed',
  hook: 'start end',
  mcp: 'oauth_required oauth_completed headers_refresh_required headers_refresh_completed',
  pending_messages: 'modified',
  permission: 'requested completed',
  sampling: 'requested completed',
  session:
    'start resume error idle info warning model_change mode_changed plan_changed workspace_file_changed import_legacy handoff truncation snapshot_rewind shutdown context_changed usage_info compaction_start compaction_complete task_complete title_changed remote_steerable_changed custom_notification background_tasks_changed skills_loaded custom_agents_updated mcp_servers_loaded mcp_server_status_changed extensions_loaded tools_updated',
  skill: 'invoked',
  subagent: 'started completed failed selected deselected',
  system: 'message notification',
  tool: 'user_requested execution_start execution_partial_result execution_progress execution_complete',
  user: 'message',
  user_input: 'requested completed',
};
