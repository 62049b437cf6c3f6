import { findCommits, relativePath, toolLine } from '../../../domain/session/tool-line.ts';
import type { TranscriptEvent } from '../../../domain/session/transcript-event.ts';
import { heredocFiles, type PatchedFile, patchedFiles, resolvePath } from './patch.ts';
import { asList, asRecord, asText } from './read-value.ts';

/** What the events of one line have in common, and where they go. */
export interface LineContext {
  /** Where the session was started, for relative paths. */
  cwd: string | null;
  timestamp: string | null;
  inherited: boolean;
  emit: (event: TranscriptEvent) => void;
}

export function tellMessage(
  role: 'user' | 'assistant' | 'tool',
  text: string,
  uuid: string | null,
  context: LineContext,
): void {
  if (text === '') return;
  const { timestamp, inherited } = context;
  context.emit({ kind: 'message', role, text, timestamp, uuid, inherited });
}

/** A call that is told by the words it was called with. */
export function tellCall(name: string, words: string, uuid: string | null, context: LineContext): void {
  tellMessage('tool', toolLine(name, words, 'text'), uuid, context);
}

/** A call that is told by the file it was for. */
export function tellPath(name: string, path: string, uuid: string | null, context: LineContext): void {
  tellMessage('tool', toolLine(name, relativePath(path, context.cwd), 'path'), uuid, context);
}

/** A shell command; one that applies a patch counts as the edits it makes. */
export function tellCommand(
  command: string,
  folder: string | null,
  uuid: string | null,
  context: LineContext,
): void {
  if (command.trim() === '') return;
  const patched = /\bapply_?patch\b/.test(command) ? patchedFiles(command) : [];
  if (patched.length > 0) {
    tellPatch(patched, folder, uuid, context);
    return;
  }
  tellCall('Bash', command, uuid, context);
  for (const path of heredocFiles(command)) tellFile(resolvePath(path, folder), context);
}

export function tellPatch(
  files: PatchedFile[],
  folder: string | null,
  uuid: string | null,
  context: LineContext,
): void {
  for (const { action, path } of files) {
    const absolute = resolvePath(path, folder);
    tellPath(action, absolute, uuid, context);
    tellFile(absolute, context);
  }
}

export function tellCommits(output: string, context: LineContext): void {
  for (const commit of findCommits(output)) {
    context.emit({ kind: 'commit', commit, inherited: context.inherited });
  }
}

/** Any other tool: its name and the argument that says most. */
export function tellTool(name: string, args: unknown, uuid: string | null, context: LineContext): void {
  const record = asRecord(args) ?? {};
  const key = TELLING_ARGUMENTS.find((candidate) => asText(record[candidate])?.trim());
  tellCall(name, key === undefined ? '' : (asText(record[key]) ?? ''), uuid, context);
}

/** The command that was typed, out of `["bash", "-lc", "npm test"]`, `["ls", "-l"]` or a string. */
export function commandText(command: unknown): string {
  if (typeof command === 'string') return command;
  const words = asList(command).filter((word) => typeof word === 'string');
  const [, option = '', script] = words;
  return script !== undefined && /^(-[a-z]*c|\/c|-Command)$/i.test(option) ? script : words.join(' ');
}

function tellFile(path: string, context: LineContext): void {
  context.emit({ kind: 'file', path: relativePath(path, context.cwd), inherited: context.inherited });
}

const TELLING_ARGUMENTS = [
  'path',
  'query',
  'prompt',
  'message',
  'title',
  'question',
  'pattern',
  'url',
  'name',
  'explanation',
];
