import { isRecord } from '../../../domain/is-record.ts';
import { isOwnCall } from '../../../domain/own/own-output.ts';
import { toolLine } from '../../../domain/session/tool-line.ts';
import { readLines } from '../../jsonl/read-lines.ts';
import { asRecord, asText, asTime, parseJson } from '../../jsonl/read-value.ts';
import { emitNotices } from '../calls/emit-notice.ts';
import type { LineContext } from '../calls/line-context.ts';
import { cleanAssistantText, cleanUserText, splitTeam } from './clean-text.ts';
import { contentMarks, contentText } from './content-text.ts';
import { emitMessage } from './emit-message.ts';
import { isMeta, promptText } from './joined.ts';
import { PROGRAM, type QueuedPrompt } from './queued-prompts.ts';

type Line = Record<string, unknown>;

/** Emits the prompt in a user's message. */
export function emitPrompt(content: unknown, line: Line, context: LineContext): void {
  const text = promptText(content) ?? '';
  const plannedIn = PLANNED.test(text) ? (TRANSCRIPT.exec(text)?.[1] ?? null) : null;
  if (plannedIn !== null && context.isFirst() && !context.inherited)
    context.emit({ kind: 'parent', sessionId: plannedIn });
  if (isOfUser(line.origin)) emitText(text, contentMarks(content), line, context);
}

/** A session that carries out the plan of another one, whose context the user cleared, names its transcript. */
const PLANNED = /^Implement the following plan:/;
const TRANSCRIPT =
  /, read the full transcript at: [^\r\n]{0,4000}[\\/]([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl/;

/** Emits a prompt that was typed while the agent worked, and that it took into its turn, or a plan. */
export function emitAttachment(line: Line, context: LineContext): void {
  const { attachment } = line;
  if (!isRecord(attachment)) return;
  if (attachment.type === 'plan_file_reference')
    emitPlan(asText(attachment.planContent) ?? '', line, context);
  if (attachment.type !== 'queued_command') return;
  const text = contentText(attachment.prompt) ?? '';
  emitNotices(text, context);
  const isPrompt = attachment.commandMode === undefined || attachment.commandMode === 'prompt';
  if (line.isMeta === true || attachment.isMeta === true || !isPrompt || !isOfUser(attachment.origin)) return;
  if (!PROGRAM.test(text)) emitText(text, contentMarks(attachment.prompt), line, context, { queued: true });
}

/** A compaction repeats the plan from its file. In a session that continues another one, the plan stands only there. */
function emitPlan(text: string, line: Line, context: LineContext): void {
  const plan = cleanAssistantText(text);
  if (plan !== '' && !context.repeats(text))
    emitMessage('user', `Plan:\n\n${plan}`, line, context, { reply: 'plan' });
}

/** Emits a queued prompt that has no message of its own. */
export function emitTaken({ text, timestamp }: QueuedPrompt, context: LineContext): void {
  emitText(text, '', { timestamp }, context, { queued: true });
}

/** Newer versions say where a message comes from: other sessions, finished tasks, the program itself. */
function isOfUser(origin: unknown): boolean {
  const kind = asText(asRecord(origin)?.kind);
  return kind === null || kind === 'human' || kind === 'channel';
}

/** @param marks stand for images in a prompt without text */
function emitText(
  text: string,
  marks: string,
  line: Line,
  context: LineContext,
  more: { queued?: boolean } = {},
): void {
  const { emit, inherited } = context;
  const cleaned = text.includes('<teammate-message') ? emitTeam(text, line, context) : cleanUserText(text);
  if (isOwnCall(cleaned)) {
    emit({ kind: 'own', by: 'user', answers: true });
    return;
  }
  const uuid = asText(line.uuid) || null;
  const shown = cleaned === '' ? marks : cleaned;
  const timestamp = asTime(line.timestamp);
  if (shown !== '') emit({ kind: 'message', role: 'user', text: shown, timestamp, uuid, inherited, ...more });
}

/** Returns the prompt in a text with messages from a team. The first one is a member's brief; the others are not the user's. */
function emitTeam(text: string, line: Line, context: LineContext): string {
  const { team, rest } = splitTeam(text);
  context.emit({ kind: 'context', team: true });
  if (context.isFirst()) return team;
  if (team !== '') emitMessage('tool', toolLine('Teammate', team, 'text'), line, context);
  return cleanUserText(rest);
}

/** Where the first prompt of a transcript is; null if it has none. */
export function firstPrompt(path: string): number | null {
  let found: number | null = null;
  readLines(path, 0, 0, (bytes, _number, offset) => {
    const line = bytes.includes('"user"') ? asRecord(parseJson(bytes.toString('utf8'))) : null;
    if (line?.type !== 'user' || isMeta(line) || line.isSidechain === true) return true;
    const text = promptText(asRecord(line.message)?.content) ?? '';
    const isPrompt = cleanUserText(text) !== '' || splitTeam(text).team !== '';
    if (isPrompt && isOfUser(line.origin)) found = offset;
    return found === null;
  });
  return found;
}
