import { findCommits, relativePath, toolLine } from '../../../domain/session/tool-line.ts';
import type { TranscriptEvent } from '../../../domain/session/transcript-event.ts';
import { cleanAssistantText, cleanUserText } from './clean-text.ts';
import type { CommitCalls } from './commit-calls.ts';
import { isRecord, text, timestamp } from './read-value.ts';

/** Tools whose first argument is a file that they change. */
const EDIT_TOOLS = new Set(['Edit', 'Write', 'MultiEdit', 'NotebookEdit', 'Update']);

/** Which argument of a tool says best what it was called for. */
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

type Emit = (event: TranscriptEvent) => void;

export interface LineContext {
  inherited: boolean;
  calls: CommitCalls;
}

/** Turns one object of a Claude Code transcript into events; answers false when it has no shape that is known. */
export function parseLine(line: unknown, context: LineContext, emit: Emit): boolean {
  if (!isRecord(line) || typeof line.type !== 'string') return false;
  switch (line.type) {
    case 'user':
      emitContext(line, emit);
      return parseUser(line, context, emit);
    case 'assistant':
      emitContext(line, emit);
      return parseAssistant(line, context, emit);
    case 'system':
      emitContext(line, emit);
      if (line.subtype === 'compact_boundary')
        emit({ kind: 'compaction', timestamp: timestamp(line), summary: null });
      return true;
    case 'attachment':
      return parseAttachment(line, context, emit);
    case 'queue-operation':
      if (line.operation === 'enqueue') emitQueued(text(line.content), timestamp(line), null, context, emit);
      return true;
    case 'summary':
      emitTitle('summary', line.summary, emit);
      return true;
    case 'custom-title':
      emitTitle('custom', line.customTitle ?? line.title, emit);
      return true;
    case 'ai-title':
      emitTitle('ai', line.aiTitle ?? line.title, emit);
      return true;
    case 'relocated':
      if (typeof line.relocatedCwd === 'string')
        emit({ kind: 'context', cwd: text(line.relocatedCwd), relocated: true });
      return true;
    default:
      return true;
  }
}

function parseUser(line: Record<string, unknown>, context: LineContext, emit: Emit): boolean {
  const message = line.message;
  if (!isRecord(message)) return false;
  const { content } = message;
  if (Array.isArray(content)) for (const block of content) emitCommits(block, context, emit);
  if (line.isMeta === true || line.isSidechain === true) return true;
  const words = typeof content === 'string' ? text(content) : joinText(content);
  if (words === null) return false;
  if (line.isCompactSummary === true) {
    emit({ kind: 'compaction', timestamp: timestamp(line), summary: cleanAssistantText(words) });
    return true;
  }
  emitMessage('user', cleanUserText(words), line, context, emit);
  return true;
}

function parseAssistant(line: Record<string, unknown>, context: LineContext, emit: Emit): boolean {
  const message = line.message;
  if (!isRecord(message)) return false;
  if (line.isApiErrorMessage === true || message.model === '<synthetic>') return true;
  if (typeof message.model === 'string' && line.isSidechain !== true)
    emit({ kind: 'context', model: message.model });
  const { content } = message;
  if (typeof content === 'string')
    emitMessage('assistant', cleanAssistantText(text(content)), line, context, emit);
  if (!Array.isArray(content)) return typeof content === 'string';
  for (const block of content) {
    if (!isRecord(block)) continue;
    if (block.type === 'text' && line.isSidechain !== true) {
      emitMessage('assistant', cleanAssistantText(text(block.text)), line, context, emit);
    } else if (block.type === 'tool_use') {
      emitToolCall(block, line, context, emit);
    }
  }
  return true;
}

function emitToolCall(
  block: Record<string, unknown>,
  line: Record<string, unknown>,
  context: LineContext,
  emit: Emit,
): void {
  const name = text(block.name) || 'tool';
  const input = isRecord(block.input) ? block.input : {};
  context.calls.note(text(block.id), input);
  const cwd = typeof line.cwd === 'string' ? line.cwd : null;
  const key = TOOL_ARGUMENTS.find((candidate) => typeof input[candidate] === 'string');
  const value = key === undefined ? '' : text(input[key]);
  const isPath = key === 'file_path' || key === 'notebook_path';
  const path = isPath ? relativePath(value, cwd) : value;
  if (isPath && EDIT_TOOLS.has(name)) emit({ kind: 'file', path, inherited: context.inherited });
  if (line.isSidechain === true) return;
  emitMessage('tool', toolLine(name, path, isPath ? 'path' : 'text'), line, context, emit);
}

/** Tells the commits that a tool's output reports, when the tool was called to make some. */
export function tellCommits(output: string, callId: string, context: LineContext, emit: Emit): void {
  const commits = findCommits(output);
  if (commits.length === 0 || !context.calls.includes(callId)) return;
  for (const commit of commits) emit({ kind: 'commit', commit, inherited: context.inherited });
}

function emitCommits(block: unknown, context: LineContext, emit: Emit): void {
  if (!isRecord(block) || block.type !== 'tool_result' || block.is_error === true) return;
  const output = typeof block.content === 'string' ? text(block.content) : (joinText(block.content) ?? '');
  if (output.includes('] ')) tellCommits(output, text(block.tool_use_id), context, emit);
}

function parseAttachment(line: Record<string, unknown>, context: LineContext, emit: Emit): boolean {
  const { attachment } = line;
  if (!isRecord(attachment) || attachment.type !== 'queued_command' || line.isMeta === true) return true;
  const prompt =
    typeof attachment.prompt === 'string' ? text(attachment.prompt) : (joinText(attachment.prompt) ?? '');
  emitQueued(prompt, timestamp(line), text(line.uuid) || null, context, emit);
  return true;
}

function emitQueued(
  prompt: string,
  time: string | null,
  uuid: string | null,
  context: LineContext,
  emit: Emit,
): void {
  if (/^\s*\{"task_id"/.test(prompt)) return;
  const words = cleanUserText(prompt);
  if (words === '') return;
  const { inherited } = context;
  emit({ kind: 'message', role: 'user', text: words, timestamp: time, uuid, inherited, queued: true });
}

function emitMessage(
  role: 'user' | 'assistant' | 'tool',
  words: string,
  line: Record<string, unknown>,
  context: LineContext,
  emit: Emit,
): void {
  if (words === '') return;
  const uuid = text(line.uuid) || null;
  emit({
    kind: 'message',
    role,
    text: words,
    timestamp: timestamp(line),
    uuid,
    inherited: context.inherited,
  });
}

function emitContext(line: Record<string, unknown>, emit: Emit): void {
  const time = timestamp(line);
  emit({
    kind: 'context',
    ...(typeof line.cwd === 'string' && { cwd: text(line.cwd) }),
    ...(typeof line.gitBranch === 'string' && { branch: text(line.gitBranch) }),
    ...(typeof line.version === 'string' && { version: line.version }),
    ...(time !== null && { timestamp: time }),
  });
}

function emitTitle(source: 'custom' | 'ai' | 'summary', title: unknown, emit: Emit): void {
  if (typeof title === 'string' && title.trim() !== '') emit({ kind: 'title', source, text: text(title) });
}

/** The text blocks of a content list; null when it is no list. */
function joinText(content: unknown): string | null {
  if (!Array.isArray(content)) return null;
  return content
    .map((block) => (isRecord(block) && block.type === 'text' ? text(block.text) : ''))
    .filter((part) => part !== '')
    .join('\n');
}
