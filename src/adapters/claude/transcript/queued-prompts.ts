import { readLines } from '../../jsonl/read-lines.ts';
import { asRecord, asText, asTime, parseJson } from '../../jsonl/read-value.ts';
import { cleanUserText } from './clean-text.ts';
import { contentText } from './content-text.ts';
import { isMeta, promptText } from './joined.ts';

/** A queued prompt that the agent took while it worked, and that has no message of its own. */
export interface QueuedPrompt {
  text: string;
  /** When the agent took it. */
  timestamp: string | null;
}

/** The queued prompts of a transcript that have no message of their own, by the offset of the line before which they belong. */
interface QueuedPrompts {
  before(offset: number): QueuedPrompt[];
  /** Searches the transcript, which is put off until a line shows that a prompt was taken from the queue. */
  search(): void;
}

export function createQueuedPrompts(path: string, from: number): QueuedPrompts {
  let found: Map<number, QueuedPrompt[]> | null = null;
  const search = () => {
    found ??= findQueuedPrompts(path);
  };
  if (from > 0 && isTakenAtHead(path)) search();
  return { before: (offset) => found?.get(offset) ?? [], search };
}

const TAKEN = /"operation"\s*:\s*"remove"/;

/** Whether a queue-operation says that the agent took prompts while it worked. */
export function isTaken(line: Buffer): boolean {
  return TAKEN.test(line.toString('latin1', 0, 400));
}

/** Claude Desktop writes the latest operations at the head of the file, whatever their time. */
function isTakenAtHead(path: string): boolean {
  let isThere = false;
  readLines(path, 0, 0, (line) => {
    isThere ||= isOperation(line) && isTaken(line);
    return !isThere && !line.includes('"uuid"');
  });
  return isThere;
}

interface Queued {
  /** Null for a prompt with images, which is queued without its content; empty for what the program queued itself. */
  text: string | null;
  /** When the agent took it. */
  timestamp: string | null;
  /** The line before which the prompt belongs; null while it is queued, and until that line is reached. */
  offset: number | null;
  hasMessage: boolean;
}

/**
 * Follows the queue: a prompt is queued, and then taken as a message (`dequeue`), taken into the running turn (`remove`), or taken back
 * by the user. Only one of the second kind may have no message: newer versions write an attachment for it.
 */
function findQueuedPrompts(path: string): Map<number, QueuedPrompt[]> {
  const found = new Map<number, QueuedPrompt[]>();
  const queue: Queued[] = [];
  let taken: Queued[] = [];
  let isHead = true;
  const keep = () => {
    for (const { text, timestamp, hasMessage, offset } of taken)
      if (text && !hasMessage && offset !== null)
        found.set(offset, [...(found.get(offset) ?? []), { text, timestamp }]);
    taken = taken.filter(({ offset }) => offset === null);
  };
  readLines(path, 0, 0, (bytes, _number, offset) => {
    if (isOperation(bytes)) {
      const operation = asRecord(parseJson(bytes.toString('utf8'))) ?? {};
      const one = applyOperation(queue, operation);
      if (one === undefined || operation.operation !== 'remove') return true;
      taken.push({ ...one, timestamp: asTime(operation.timestamp), offset: isHead ? null : offset });
      return true;
    }
    isHead &&= !bytes.includes('"uuid"');
    if (isHead || queue.length + taken.length === 0) return true;
    if (!mayBePrompt(bytes) && taken.every((one) => one.offset !== null)) return true;
    const message = readMessage(bytes);
    if (message === null) return true;
    for (const one of taken) if (one.offset === null && isSince(message, one)) one.offset = offset;
    if (message.text === '') return true;
    const here = [...taken.filter((one) => one.offset !== null), ...queue];
    const known = here.find(({ text, hasMessage }) => !hasMessage && text === message.text);
    if (known !== undefined) known.hasMessage = true;
    // Another prompt shows that what was taken before has no message.
    else if (message.isPrompt) keep();
    return true;
  });
  keep();
  return found;
}

/** Applies an operation to the queue; returns the prompt that left it. */
function applyOperation(
  queue: Queued[],
  { operation, content }: Record<string, unknown>,
): Queued | undefined {
  const text = queuedText(contentText(content));
  if (operation === 'enqueue') {
    queue.push({ text, timestamp: null, offset: null, hasMessage: false });
    return undefined;
  }
  // Only the operations by which the user takes prompts back name them. The user's prompts are taken before the program's.
  const isBack = operation === 'popAll' || operation === 'popOne';
  const wanted = isBack
    ? [(one: Queued) => one.text === text]
    : [(one: Queued) => one.hasMessage, (one: Queued) => Boolean(one.text), () => true];
  const at = wanted.map((is) => queue.findIndex(is)).find((index) => index >= 0);
  return at === undefined ? undefined : queue.splice(at, 1)[0];
}

function queuedText(content: string | null): string | null {
  if (content === null) return null;
  return PROGRAM.test(content) ? '' : cleanUserText(content);
}

/** A notice that the program queued in versions before the one that marks it as such. */
export const PROGRAM = /^\s*\{"task_id"/;

function isOperation(line: Buffer): boolean {
  return line.subarray(0, 200).includes('"queue-operation"');
}

function mayBePrompt(line: Buffer): boolean {
  if (line.includes('"queued_command"')) return true;
  return line.includes('"role":"user"') && !line.includes('"tool_result"');
}

function isSince({ timestamp }: Message, taken: Queued): boolean {
  return taken.timestamp === null || (timestamp !== null && timestamp >= taken.timestamp);
}

interface Message {
  timestamp: string | null;
  /** A prompt's text; empty for any other line. */
  text: string;
  /** Whether it is a line of its own, not part of a running turn. */
  isPrompt: boolean;
}

function readMessage(bytes: Buffer): Message | null {
  const line = asRecord(parseJson(bytes.toString('utf8')));
  if (line === null || asText(line.uuid) === null || line.isSidechain === true) return null;
  const attachment = asRecord(line.attachment);
  const isQueued = attachment?.type === 'queued_command';
  const isPrompt = line.type === 'user' && !isMeta(line) && line.toolUseResult === undefined;
  const content = isQueued ? attachment.prompt : isPrompt ? asRecord(line.message)?.content : null;
  const text = cleanUserText(promptText(content) ?? '');
  return { timestamp: asTime(line.timestamp), text, isPrompt: isPrompt && text !== '' };
}
