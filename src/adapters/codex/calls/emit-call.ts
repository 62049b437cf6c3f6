import { ownCallOf, rememberedIn } from '../../../domain/own/own-calls.ts';
import { isOwnCall } from '../../../domain/own/own-output.ts';
import { planText, shortText } from '../../../domain/session/calls/agent-lists.ts';
import { type GitStep, gitSteps } from '../../../domain/session/calls/git-steps.ts';
import { findCommits, relativePath, toolLine } from '../../../domain/session/tool-line.ts';
import type { Reply, TranscriptEvent } from '../../../domain/session/transcript-event.ts';
import { asList, asRecord, asText, parseJson } from '../../jsonl/read-value.ts';
import { heredocFiles, type PatchedFile, patchedFiles, resolvePath } from './patched-files.ts';

/** The shared fields of one line's events, and their receiver. */
export interface LineContext {
  /** The folder in which the session was started, for relative paths. */
  cwd: string | null;
  timestamp: string | null;
  inherited: boolean;
  /** The transcript has no events here: messages are read from what was sent to the model. */
  isBare: boolean;
  /** The questions of an earlier call that asked the user; none if it is not found. */
  questionsOf: (call: string) => Record<string, unknown>[];
  emit: (event: TranscriptEvent) => void;
}

function emitMessage(
  role: 'user' | 'assistant' | 'tool',
  text: string,
  uuid: string | null,
  context: LineContext,
  git?: GitStep[],
): void {
  if (text === '') return;
  const { timestamp, inherited } = context;
  const call = role === 'tool' && uuid !== null ? { call: uuid, git } : {};
  context.emit({ kind: 'message', role, text, timestamp, uuid, inherited, ...call });
}

/** Emits what the agent says along the way or at the end of its turn. Newer versions distinguish them by `phase`. */
export function emitAnswer(text: string, phase: unknown, uuid: string | null, context: LineContext): void {
  const { said, plan } = splitPlan(text);
  if (said === '') return;
  const { timestamp, inherited, emit } = context;
  const more = typeof phase === 'string' ? { closes: phase === 'final_answer' } : {};
  emit({ kind: 'message', role: 'assistant', text: said, timestamp, uuid, inherited, ...more });
  if (plan !== '') emit({ kind: 'plan', call: null, text: planText(plan), inherited });
}

/** The model marks the plan in its answer. Most versions write it as an item of its own instead. */
function splitPlan(text: string): { said: string; plan: string } {
  if (!text.includes(OPENING)) return { said: text.trim(), plan: '' };
  const lines = text.split('\n');
  const start = lines.indexOf(OPENING);
  const end = lines.indexOf(CLOSING, start);
  const plan = start < 0 ? [] : lines.slice(start + 1, end < 0 ? undefined : end);
  const said = lines.filter((line) => line !== OPENING && line !== CLOSING);
  return { said: said.join('\n').trim(), plan: plan.join('\n').trim() };
}

const OPENING = '<proposed_plan>';
const CLOSING = '</proposed_plan>';

/** Emits the plan, which in plan mode is the answer; the message that announces it does not include it. */
export function emitPlan(text: string, uuid: string | null, context: LineContext): void {
  emitAnswer(text, null, uuid, context);
  const plan = planText(text);
  if (plan !== '') context.emit({ kind: 'plan', call: null, text: plan, inherited: context.inherited });
}

/** Emits pull requests that GitHub's tool reports as created or changed. */
export function emitPullRequest(output: string, { inherited, emit }: LineContext): void {
  const [, url, title] = PULL_REQUEST.exec(output.slice(0, 40_000)) ?? [];
  if (url === undefined) return;
  const known = title === undefined ? null : shortText(asText(parseJson(`"${title}"`)));
  emit({ kind: 'pull request', url, title: known || null, inherited });
}

const PULL_REQUEST =
  /^(?:Wall time: [^\n]{1,40}\n)?Output:\n\{"url":"(https:\/\/[^"\\ ]{1,200}\/pull\/\d+)"(?:[\s\S]*?"title":"((?:[^"\\]|\\.){1,400})")?/;

export function emitPrompt(text: string, uuid: string | null, context: LineContext): void {
  if (isOwnCall(text)) context.emit({ kind: 'own', by: 'user', answers: true });
  else emitMessage('user', text, uuid, context);
}

/** Stands for the images of a prompt without text; empty without any. */
export function imageMarks(count: number): string {
  return Array.from({ length: count }, () => '[Image]').join(' ');
}

/** The user's words in a dialog. */
export function emitReply(reply: Reply, text: string, uuid: string, context: LineContext): void {
  const { timestamp, inherited } = context;
  context.emit({ kind: 'message', role: 'user', text, timestamp, uuid, inherited, reply });
}

/** A call shown with a text, such as a query. */
export function emitCall(
  name: string,
  text: string,
  uuid: string | null,
  context: LineContext,
  git?: GitStep[],
): void {
  const own = ownCallOf(name, text);
  if (own !== null) context.emit({ kind: 'own', by: 'agent', ...own });
  else emitMessage('tool', toolLine(name, text, 'text'), uuid, context, git);
}

/** A call shown with a file. */
export function emitPath(name: string, path: string, uuid: string | null, context: LineContext): void {
  emitMessage('tool', toolLine(name, relativePath(path, context.cwd), 'path'), uuid, context);
}

/** A shell command. A command that applies a patch counts as the patch's edits. */
export function emitCommand(
  command: string,
  folder: string | null,
  uuid: string | null,
  context: LineContext,
): void {
  if (command.trim() === '') return;
  const patched = /\bapply_?patch\b/.test(command) ? patchedFiles(command) : [];
  if (patched.length > 0) {
    emitPatch(patched, folder, uuid, context);
    return;
  }
  const isHere = folder === null || relativePath(folder, context.cwd) !== folder || folder === context.cwd;
  emitCall('Bash', command, uuid, context, gitSteps(command, isHere, folder ?? context.cwd));
  for (const path of heredocFiles(command)) emitFile(resolvePath(path, folder), context);
}

export function emitPatch(
  files: PatchedFile[],
  folder: string | null,
  uuid: string | null,
  context: LineContext,
): void {
  for (const { action, path } of files) {
    const absolute = resolvePath(path, folder);
    emitPath(action, absolute, uuid, context);
    emitFile(absolute, context);
  }
}

export function emitCommits(output: string, call: string | null, context: LineContext): void {
  const { inherited, emit } = context;
  for (const commit of findCommits(output)) emit({ kind: 'commit', commit, call, inherited });
}

/** Any other call: the tool's name and its most descriptive argument. */
export function emitTool(name: string, args: unknown, uuid: string | null, context: LineContext): void {
  const record = asRecord(args) ?? {};
  const idea = rememberedIn(name, record);
  if (idea !== null) context.emit({ kind: 'remembered', idea, inherited: context.inherited });
  const key = DESCRIPTIVE_ARGUMENTS.find((candidate) => asText(record[candidate])?.trim());
  emitCall(name, key === undefined ? '' : (asText(record[key]) ?? ''), uuid, context);
}

/** The command as the user would type it, from `["bash", "-lc", "npm test"]`, `["ls", "-l"]` or a string. */
export function commandText(command: unknown): string {
  if (typeof command === 'string') return command.toWellFormed();
  const words = asList(command).flatMap((word) => asText(word) ?? []);
  const [, option = '', script] = words;
  return script !== undefined && /^(-[a-z]*c|\/c|-Command)$/i.test(option) ? script : words.join(' ');
}

function emitFile(path: string, context: LineContext): void {
  context.emit({ kind: 'file', path: relativePath(path, context.cwd), inherited: context.inherited });
}

const DESCRIPTIVE_ARGUMENTS = [
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
