import { asList, asRecord, asText, parseJson } from '../../jsonl/read-value.ts';
import { type Rollouts, readLines } from '../files/read-file.ts';
import { MESSAGES, readPrefix } from './sniff-line.ts';

/**
 * Where the events of a transcript begin: 0, except in transcripts of other clients, converted ones, and those of 2025. Before it, the
 * messages stand only in what was sent to the model. An answer before the event of any message shows that.
 */
export function findFirstEvent(files: Rollouts): number {
  let hasAnswer = false;
  let hasEvent = false;
  let isDecided = false;
  let first = Number.POSITIVE_INFINITY;
  let prompt = { offset: 0, text: '' };
  readLines(files, 0, 0, (line, _number, offset) => {
    const prefix = readPrefix(line);
    if (prefix?.type === 'event_msg' && !tellsMessage(prefix.payloadType)) {
      hasEvent = true;
    } else if (prefix?.type === 'event_msg') {
      isDecided = true;
      first = hasAnswer ? offset : 0;
      // Codex writes a prompt to the model first, then its event.
      if (hasAnswer && prompt.text !== '' && promptOfEvent(line) === prompt.text) first = prompt.offset;
    } else if (line.includes(MESSAGE)) {
      const item = asItem(asRecord(parseJson(line.toString('utf8'))) ?? {});
      const payload = asRecord(item.payload);
      const isMessage = item.type === 'response_item' && payload?.type === 'message';
      if (isMessage && payload.role === 'assistant') hasAnswer = true;
      if (isMessage && payload.role === 'user') prompt = { offset, text: itemText(payload.content) };
    }
    return !isDecided;
  });
  // Codex may be about to write the event of the first prompt.
  return !isDecided && hasEvent && !hasAnswer ? 0 : first;
}

/** Others tell of turns, tokens and errors. */
function tellsMessage(event: string | null): boolean {
  return event === null || event === 'item_completed' || MESSAGES.has(event);
}

/** Until summer 2025, lines were the bare items that today are the payload of a `response_item`. */
export function asItem(line: Record<string, unknown>): Record<string, unknown> {
  const isBare = line.payload === undefined && ITEMS.has(asText(line.type) ?? '');
  return isBare ? { ...line, type: 'response_item', payload: line } : line;
}

/** The text of a message that was sent to the model. */
export function itemText(content: unknown): string {
  if (!Array.isArray(content)) return asText(content) ?? '';
  return content
    .map((part) => asText(asRecord(part)?.text) ?? '')
    .filter((text) => text !== '')
    .join('\n');
}

export function countImages(content: unknown): number {
  return asList(content).filter((part) => /image/i.test(asText(asRecord(part)?.type) ?? '')).length;
}

function promptOfEvent(line: Buffer): string | null {
  const payload = asRecord(asRecord(parseJson(line.toString('utf8')))?.payload);
  return payload?.type === 'user_message' ? asText(payload.message) : null;
}

const MESSAGE = Buffer.from('"message"');
const ITEMS = new Set([
  'message',
  'reasoning',
  'function_call',
  'function_call_output',
  'custom_tool_call',
  'custom_tool_call_output',
  'local_shell_call',
  'local_shell_call_output',
  'web_search_call',
]);
