import { asRecord, asText } from '../jsonl/read-value.ts';
import type { RecordSink } from '../records/record-sink.ts';
import type { Row } from '../records/row-format.ts';
import { orMarks, partsOf, textOf } from '../records/text-of.ts';
import { promptText } from './prompt-text.ts';

/** Tells what a message says; false if it does not have the shape of one. */
export function tellRow(row: Row, sink: RecordSink): boolean {
  const message = asRecord(row.message);
  if (message === null || typeof row.role !== 'string') return false;
  const content =
    typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content;
  const parts = partsOf(content);
  if (row.role === 'user') {
    const text = textOf(content, (part) => part.type === 'text');
    sink.said({ role: 'user', text: orMarks(promptText(text), parts), uuid: null });
  }
  for (const part of parts) tellPart(part, row.role, sink);
  return true;
}

function tellPart(part: Row, role: string, sink: RecordSink): void {
  const id = asText(part.id) ?? asText(part.tool_use_id);
  if (part.type === 'thinking') sink.thought?.(asText(part.thinking) ?? asText(part.text));
  if (part.type === 'text' && role === 'assistant') {
    const text = (asText(part.text) ?? '').replaceAll(REDACTED, '');
    sink.said({ role: 'assistant', text, uuid: null });
  }
  if (part.type === 'tool_use' || part.type === 'tool_call')
    sink.called({ id, tool: asText(part.name) ?? 'tool', input: part.input });
  if (part.type === 'tool_result' && id !== null)
    sink.resulted({ id, output: textOf(part.content), failed: part.is_error === true, images: [] });
}

/** What Cursor writes instead of what the model thought. */
const REDACTED = '[REDACTED]';

/** See RowFormat; the kinds that versions up to 3.20 write. */
export function unknownIn(row: Row): Row[] {
  const message = asRecord(row.message) ?? {};
  if (!ROLES.has(asText(row.role) ?? '')) return [message];
  return partsOf(message.content).filter(({ type }) => !PARTS.has(asText(type) ?? ''));
}

const ROLES = new Set(['user', 'assistant', 'system']);
const PARTS = new Set([
  'text',
  'thinking',
  'redacted_thinking',
  'image',
  'tool_use',
  'tool_call',
  'tool_result',
]);
