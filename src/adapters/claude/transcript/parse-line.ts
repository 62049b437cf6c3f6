import { isRecord } from '../../../domain/is-record.ts';
import { ownCallOf, rememberedIn } from '../../../domain/own/own-calls.ts';
import { shortText } from '../../../domain/session/calls/agent-lists.ts';
import { gitSteps } from '../../../domain/session/calls/git-steps.ts';
import { findCommits, relativePath, toolLine } from '../../../domain/session/tool-line.ts';
import { asId, asRecord, asText, asTime } from '../../jsonl/read-value.ts';
import { emitLists } from '../calls/emit-lists.ts';
import { emitNotices } from '../calls/emit-notice.ts';
import { emitReplies } from '../calls/emit-replies.ts';
import { emitResult } from '../calls/emit-result.ts';
import type { LineContext } from '../calls/line-context.ts';
import { cleanAssistantText } from './clean-text.ts';
import { contentText } from './content-text.ts';
import { emitMessage } from './emit-message.ts';
import { emitAttachment, emitPrompt } from './emit-prompts.ts';
import { isMeta } from './joined.ts';

type Line = Record<string, unknown>;

/** Emits the events of one object of a transcript; false if the object does not have the shape of its type. */
export function parseLine(line: Line, context: LineContext): boolean {
  const { emit } = context;
  switch (line.type) {
    case 'user':
      emitContext(line, context);
      return parseUser(line, context);
    case 'assistant':
      emitContext(line, context);
      return parseAssistant(line, context);
    case 'system':
      emitContext(line, context);
      if (line.subtype === 'compact_boundary')
        emit({ kind: 'compaction', timestamp: asTime(line.timestamp), summary: null });
      return true;
    case 'attachment':
      emitAttachment(line, context);
      return true;
    case 'summary':
      if (context.holds(asText(line.leafUuid) ?? '')) emitTitle('summary', line.summary, context);
      return true;
    case 'custom-title':
      emitTitle('custom', line.customTitle ?? line.title, context);
      return true;
    case 'ai-title':
      emitTitle('ai', line.aiTitle ?? line.title, context);
      return true;
    case 'agent-name':
      emitTitle('name', line.agentName, context);
      return true;
    case 'pr-link': {
      const url = asText(line.prUrl);
      if (url !== null)
        emit({ kind: 'pull request', url: shortText(url), title: null, inherited: context.inherited });
      return true;
    }
    case 'continued-in': {
      const sessionId = asId(line.continuedInSessionId);
      if (sessionId !== null && !context.inherited) emit({ kind: 'continued', sessionId });
      return true;
    }
    case 'relocated': {
      const cwd = asText(line.relocatedCwd);
      if (cwd !== null) emit({ kind: 'context', cwd, relocated: true });
      return true;
    }
    default:
      return typeof line.type === 'string';
  }
}

/** Emits the commits reported in a tool's output, if the call was a git command that commits. */
function emitCommits(output: string, callId: string, { calls, inherited, emit }: LineContext): void {
  const commits = findCommits(output);
  if (commits.length === 0 || !calls.includes(callId)) return;
  for (const commit of commits) emit({ kind: 'commit', commit, call: callId, inherited });
}

function parseUser(line: Line, context: LineContext): boolean {
  const message = line.message;
  if (!isRecord(message)) return false;
  const { content } = message;
  if (Array.isArray(content)) for (const block of content) parseResult(block, line, context);
  if (isForeign(line, context)) return true;
  const text = contentText(content);
  emitNotices(text ?? '', context);
  if (isMeta(line)) return true;
  if (text === null) return false;
  if (line.isCompactSummary === true) {
    const summary = cleanAssistantText(text);
    context.emit({ kind: 'compaction', timestamp: asTime(line.timestamp), summary });
  } else {
    emitPrompt(content, line, context);
  }
  return true;
}

function parseResult(block: unknown, line: Line, context: LineContext): void {
  if (!isRecord(block) || block.type !== 'tool_result') return;
  const output = contentText(block.content) ?? '';
  const failed = block.is_error === true;
  if (!failed && output.includes('] ')) emitCommits(output, asText(block.tool_use_id) ?? '', context);
  if (!isForeign(line, context)) emitResult(block, output, line.toolUseResult, context);
  // The user is asked about a subagent's calls, too.
  if (failed || !isForeign(line, context)) emitReplies(block, output, line, context);
}

function parseAssistant(line: Line, context: LineContext): boolean {
  const message = line.message;
  if (!isRecord(message)) return false;
  if (line.isApiErrorMessage === true || message.model === '<synthetic>') return true;
  if (typeof message.model === 'string' && !isForeign(line, context))
    context.emit({ kind: 'context', model: message.model });
  const { content } = message;
  if (typeof content === 'string') emitAnswer(content, line, context);
  if (!Array.isArray(content)) return typeof content === 'string';
  for (const block of content) if (isRecord(block)) parseBlock(block, line, context);
  return true;
}

function parseBlock(block: Record<string, unknown>, line: Line, context: LineContext): void {
  if (block.type === 'tool_use') emitCall(block, line, context);
  else if (block.type === 'text' && !isForeign(line, context)) emitAnswer(block.text, line, context);
}

function emitAnswer(text: unknown, line: Line, context: LineContext): void {
  const reason = asRecord(line.message)?.stop_reason;
  const more = typeof reason === 'string' ? { closes: reason === 'end_turn' } : {};
  emitMessage('assistant', cleanAssistantText(asText(text) ?? ''), line, context, more);
}

function emitCall(block: Record<string, unknown>, line: Line, context: LineContext): void {
  const { inherited, calls, emit } = context;
  const name = asText(block.name) ?? '';
  const input = asRecord(block.input) ?? {};
  const call = asText(block.id) ?? '';
  calls.note(call, input);
  const key = TOOL_ARGUMENTS.find((candidate) => typeof input[candidate] === 'string');
  const value = key === undefined ? '' : (asText(input[key]) ?? '');
  const isPath = key === 'file_path' || key === 'notebook_path';
  const path = isPath ? relativePath(value, typeof line.cwd === 'string' ? line.cwd : null) : value;
  if (isPath && EDIT_TOOLS.has(name)) emit({ kind: 'file', path, inherited });
  if (isForeign(line, context)) return;
  const idea = rememberedIn(name, input);
  if (idea !== null) emit({ kind: 'remembered', idea, inherited });
  const git = key === 'command' ? gitSteps(value, true, asText(line.cwd)) : undefined;
  const own = ownCallOf(name, value);
  if (own !== null) emit({ kind: 'own', by: 'agent', ...own });
  else emitMessage('tool', toolLine(name, path, isPath ? 'path' : 'text'), line, context, { call, git });
  emitLists(name, call, input, context);
}

/** Tools that change the file named in their first argument. */
const EDIT_TOOLS = new Set(['Edit', 'Write', 'MultiEdit', 'NotebookEdit', 'Update']);

/** The arguments that best describe a call, best first. */
const TOOL_ARGUMENTS = [
  'command',
  'file_path',
  'notebook_path',
  'pattern',
  'description',
  'query',
  'url',
  'subject',
  'skill',
  'prompt',
  'path',
  'title',
] as const;

function emitContext(line: Line, { emit }: LineContext): void {
  const cwd = asText(line.cwd);
  const branch = asText(line.gitBranch);
  const time = asTime(line.timestamp);
  emit({
    kind: 'context',
    cwd: cwd ?? undefined,
    branch: branch ?? undefined,
    version: typeof line.version === 'string' ? line.version : undefined,
    timestamp: time ?? undefined,
  });
}

function emitTitle(
  source: 'custom' | 'ai' | 'summary' | 'name',
  title: unknown,
  { emit, inherited }: LineContext,
): void {
  const text = asText(title);
  if (text !== null && text.trim() !== '')
    emit({ kind: 'title', source, text, inherited: inherited || undefined });
}

/** Older versions wrote the lines of subagents into the session's file. */
function isForeign(line: Line, { ofSubagent }: LineContext): boolean {
  return line.isSidechain === true && !ofSubagent;
}
