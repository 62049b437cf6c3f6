import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Builds transcripts in Claude Code's format: create lines, stamp them, write them. */

export type ClaudeLine = Record<string, unknown> & { type: string };

export const CWD = '/home/dev/widgets';
export const SESSION_ID = '11111111-1111-4111-8111-111111111111';
export const FORK_ID = '22222222-2222-4222-8222-222222222222';
export const GRANDCHILD_ID = '33333333-3333-4333-8333-333333333333';
export const COMMIT_OUTPUT = '[main abc1234] Add a thing\n 1 file changed, 1 insertion(+)\n';

/** Lines without the fields that Claude Code adds to each line; `stampLines` adds these. */
export const line = {
  user: (content: string | object[], more: object = {}): ClaudeLine => ({
    type: 'user',
    message: { role: 'user', content },
    ...more,
  }),
  meta: (content: string, more: object = {}): ClaudeLine => line.user(content, { isMeta: true, ...more }),
  compactSummary: (content: string): ClaudeLine =>
    line.user(content, { isCompactSummary: true, isVisibleInTranscriptOnly: true }),
  assistant: (content: string | object[], more: object = {}): ClaudeLine => ({
    type: 'assistant',
    message: {
      model: 'claude-sonnet-4-5',
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      content: typeof content === 'string' ? [{ type: 'text', text: content }] : content,
      stop_reason: null,
      usage: { input_tokens: 3, output_tokens: 5 },
    },
    requestId: 'req_1',
    ...more,
  }),
  thinking: (thinking: string): ClaudeLine =>
    line.assistant([{ type: 'thinking', thinking, signature: 'c2ln' }]),
  call: (name: string, input: object, id = 'toolu_1', more: object = {}): ClaudeLine =>
    line.assistant([{ type: 'tool_use', id, name, input }], more),
  result: (content: unknown, id = 'toolu_1', more: object = {}): ClaudeLine =>
    line.user([{ tool_use_id: id, type: 'tool_result', content }], more),
  system: (subtype: string, more: object = {}): ClaudeLine => ({ type: 'system', subtype, ...more }),
  compactBoundary: (): ClaudeLine =>
    line.system('compact_boundary', {
      content: 'Conversation compacted',
      compactMetadata: { trigger: 'auto' },
    }),
  attachment: (attachment: object): ClaudeLine => ({ type: 'attachment', attachment }),
  queuedCommand: (prompt: unknown): ClaudeLine => line.attachment({ type: 'queued_command', prompt }),
  queue: (operation: string, content?: string): ClaudeLine => ({
    type: 'queue-operation',
    operation,
    content,
  }),
  summary: (summary: string): ClaudeLine => ({ type: 'summary', summary, leafUuid: uuidOf('leaf') }),
  customTitle: (customTitle: string): ClaudeLine => ({ type: 'custom-title', customTitle }),
  aiTitle: (aiTitle: string): ClaudeLine => ({ type: 'ai-title', aiTitle }),
  progress: (data: object): ClaudeLine => ({
    type: 'progress',
    data,
    toolUseID: 'bash-1',
    parentToolUseID: 'toolu_1',
  }),
};

/** A tool call with its result, as two lines. */
export function toolPair(name: string, input: object, output: unknown, id = `toolu_${name}`): ClaudeLine[] {
  return [line.call(name, input, id), line.result(output, id)];
}

/** A Bash call with its result, which contains stdout a second time next to the message. */
export function bashPair(command: string, stdout: string, id = 'toolu_bash'): ClaudeLine[] {
  return [
    line.call('Bash', { command, description: 'Run it' }, id),
    line.result(stdout, id, { toolUseResult: { stdout, stderr: '', interrupted: false, isImage: false } }),
  ];
}

export interface StampOptions {
  sessionId?: string;
  cwd?: string;
  branch?: string;
  version?: string;
  /** Time of the first line; the others follow at intervals of a second. */
  start?: string;
  /** Seed of the uuids: transcripts with the same seed have the same uuids. */
  seed?: string;
  /** Number of preceding lines, from which uuids and times continue. */
  after?: number;
}

/** Types without uuid, cwd and parent. */
const METADATA = new Set(['summary', 'custom-title', 'ai-title', 'queue-operation', 'file-history-snapshot']);

/** Adds the fields that Claude Code writes in each line: ids, the chain of parents, time, folder, branch and version. */
export function stampLines(lines: ClaudeLine[], options: StampOptions = {}): ClaudeLine[] {
  const { sessionId = SESSION_ID, cwd = CWD, branch = 'main', version = '2.1.329' } = options;
  const { start = '2026-07-01T09:00:00.000Z', seed = sessionId, after = 0 } = options;
  let parentUuid: string | null = after === 0 ? null : uuidOf(`${seed}/${after - 1}`);
  return lines.map((one, index) => {
    const timestamp = new Date(Date.parse(start) + (after + index) * 1000).toISOString();
    if (METADATA.has(one.type)) return { timestamp, sessionId, ...one };
    const uuid = uuidOf(`${seed}/${after + index}`);
    const { type, ...rest } = one;
    const stamped: ClaudeLine = {
      parentUuid,
      isSidechain: false,
      userType: 'external',
      cwd,
      sessionId,
      version,
      gitBranch: branch,
      type,
      ...rest,
      ...('uuid' in rest ? {} : { uuid }),
      ...('timestamp' in rest ? {} : { timestamp }),
    };
    parentUuid = uuid;
    return stamped;
  });
}

export function uuidOf(seed: string): string {
  const hex = createHash('sha256').update(seed).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

export function jsonl(lines: object[]): string {
  return lines.map((one) => `${JSON.stringify(one)}\n`).join('');
}

export type ForkStyle = 'copied' | 'requestSessionId' | 'branch' | 'sdk';
export const FORK_STYLES: ForkStyle[] = ['copied', 'requestSessionId', 'branch', 'sdk'];

/** The lines that a fork of this style copies from its parent's stamped lines. */
export function copyLines(
  lines: ClaudeLine[],
  style: ForkStyle,
  fork: { sessionId: string; cwd?: string },
): ClaudeLine[] {
  return lines.map((original) => {
    const { sessionId: origin, uuid } = original;
    const copy: ClaudeLine = { ...original, sessionId: fork.sessionId };
    if (style === 'requestSessionId') {
      if (fork.cwd !== undefined && 'cwd' in copy) copy.cwd = fork.cwd;
      if (copy.type === 'assistant') copy.requestSessionId ??= origin;
    } else if (style !== 'copied' && typeof uuid === 'string') {
      copy.forkedFrom = { sessionId: origin, messageUuid: uuid };
      if (style === 'sdk') copy.uuid = uuidOf(`${fork.sessionId}/${uuid}`);
    }
    return copy;
  });
}

/** A transcript's path in a configuration folder. */
export function claudePath(home: string, sessionId: string, project = '-home-dev-widgets'): string {
  return join(home, 'projects', project, `${sessionId}.jsonl`);
}

/** Writes a transcript; returns its path. */
export function writeClaude(
  home: string,
  sessionId: string,
  content: string | Uint8Array | ClaudeLine[],
  project?: string,
): string {
  const path = claudePath(home, sessionId, project);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, Array.isArray(content) ? jsonl(content) : content);
  return path;
}

/** A short session with two prompts, an edit, a test run and a commit. */
export function sampleLines(): ClaudeLine[] {
  return [
    line.user('Please add a thing'),
    line.thinking('They want a thing.'),
    line.assistant('I will add it.'),
    ...toolPair(
      'Edit',
      { file_path: `${CWD}/src/a.ts`, old_string: '1', new_string: '2' },
      'The file was updated.',
    ),
    ...bashPair('npm test', 'all green', 'toolu_test'),
    ...bashPair('git commit -am "Add a thing"', COMMIT_OUTPUT, 'toolu_commit'),
    line.user('Naïve — 日本語 🙂'),
    line.assistant('Done.'),
  ];
}
