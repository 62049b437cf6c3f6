import type { FileEdit } from '../../domain/session/transcript-step.ts';
import { asRecord, asText } from '../jsonl/read-value.ts';
import { patchEdits } from './patch-edits.ts';
import { partsOf } from './text-of.ts';

/** A tool call in the words that all agents share. */
export interface ToolCall {
  /** `Bash`, `Edit`, `Write` and `Read`, or the agent's own name for any other tool. */
  name: string;
  /** What describes the call best: a command, a path or an argument. */
  argument: string;
  isPath: boolean;
  /** The changes it makes to files; empty if it makes none. */
  edits: FileEdit[];
  /** As the agent gave it. */
  tool: string;
  args: Record<string, unknown>;
}

/** Reads a call by what its arguments are called, because agents name the same few tools and arguments differently. A text is a patch. */
export function toolCallOf(tool: string, input: unknown): ToolCall {
  const args = asRecord(input) ?? {};
  const call = { tool, args, edits: [], isPath: false };
  const command = COMMANDS.has(tool.toLowerCase()) ? commandOf(args) : '';
  if (command !== '') return { ...call, name: 'Bash', argument: command };
  const patched = typeof input === 'string' ? patchEdits(input) : [];
  const path = patched[0]?.path ?? first(args, PATHS);
  const edits = path === '' ? [] : [...patched, ...editsOf(path, args)];
  if (edits.length > 0) {
    const name = edits.some(({ before }) => before !== '') ? 'Edit' : 'Write';
    return { ...call, name, argument: path, isPath: true, edits };
  }
  if (path !== '' && READS.has(tool.toLowerCase()))
    return { ...call, name: 'Read', argument: path, isPath: true };
  return { ...call, name: tool, argument: path || first(args, DESCRIPTIVE) };
}

const COMMANDS = new Set([
  'bash',
  'shell',
  'run_shell_command',
  'run_terminal_cmd',
  'powershell',
  'execute_command',
]);
const READS = new Set(['read', 'read_file', 'view', 'view_file', 'readfile']);
const PATHS = ['path', 'file_path', 'filePath', 'absolute_path', 'filename'];
const BEFORE = ['oldText', 'old_string', 'oldString', 'old_str'];
const AFTER = ['newText', 'new_string', 'newString', 'new_str'];
const WHOLE = ['content', 'file_text', 'contents'];
const DESCRIPTIVE = [
  'pattern',
  'query',
  'prompt',
  'url',
  'description',
  'title',
  'question',
  'name',
  'dir_path',
];

function commandOf(args: Record<string, unknown>): string {
  return first(args, ['command', 'cmd', 'script']);
}

function editsOf(path: string, args: Record<string, unknown>): FileEdit[] {
  const parts = [args, ...partsOf(args.edits)];
  const changes = parts
    .filter((part) => AFTER.some((name) => typeof part[name] === 'string'))
    .map((part) => ({ path, before: first(part, BEFORE), after: first(part, AFTER) }));
  const whole = WHOLE.find((name) => typeof args[name] === 'string');
  return whole === undefined ? changes : [...changes, { path, before: '', after: first(args, [whole]) }];
}

function first(args: Record<string, unknown>, names: string[]): string {
  for (const name of names) {
    const text = asText(args[name]);
    if (text !== null && text.trim() !== '') return text;
  }
  return '';
}
