import type { TranscriptEvent } from '../../ports/transcript-source.ts';
import { findCommits } from './commits.ts';
import { asList, asRecord, asText } from './json.ts';
import { heredocFiles, type PatchedFile, patchedFiles, resolvePath, showPath } from './patch.ts';

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

/** A call in one line of at most 200 characters. */
export function tellCall(name: string, detail: string, uuid: string | null, context: LineContext): void {
  tellMessage('tool', oneLine(detail === '' ? name : `${name} ${detail}`), uuid, context);
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
  if (patched.length > 0) return tellPatch(patched, folder, uuid, context);
  tellCall('Bash:', command, uuid, context);
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
    tellCall(action, showPath(absolute, context.cwd), uuid, context);
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
  const detail = key === undefined ? '' : asText(record[key]);
  tellCall(detail ? `${name}:` : name, detail ?? '', uuid, context);
}

/** The command that was typed, out of `["bash", "-lc", "npm test"]`, `["ls", "-l"]` or a string. */
export function commandText(command: unknown): string {
  if (typeof command === 'string') return command;
  const words = asList(command).filter((word) => typeof word === 'string');
  const [, option = '', script] = words;
  return script !== undefined && /^(-[a-z]*c|\/c|-Command)$/i.test(option) ? script : words.join(' ');
}

function tellFile(path: string, context: LineContext): void {
  context.emit({ kind: 'file', path, inherited: context.inherited });
}

function oneLine(text: string): string {
  const line = text.slice(0, 4 * MAX_LINE).replace(/\s+/g, ' ').trim();
  if (line.length <= MAX_LINE) return line;
  // A pair of surrogates is not cut in two.
  return `${line.slice(0, MAX_LINE - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

const MAX_LINE = 200;
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
