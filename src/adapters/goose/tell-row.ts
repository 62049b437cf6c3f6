import { asList, asRecord, asText } from '../jsonl/read-value.ts';
import type { RecordSink } from '../records/record-sink.ts';
import type { Row } from '../records/row-format.ts';
import { imagesOf, orMarks, partsOf, textOf } from '../records/text-of.ts';

/** Tells what a message says; false if it does not have the shape of one. Tools answer as the user. */
export function tellRow(row: Row, sink: RecordSink): boolean {
  const { role } = row;
  if ((role !== 'user' && role !== 'assistant') || !Array.isArray(row.content)) return false;
  const parts = partsOf(row.content);
  const uuid = asText(row.id);
  const model = asText(row.model);
  if (model !== null && role === 'assistant') sink.noted({ kind: 'context', model });
  const isShown = asRecord(row.metadata)?.userVisible !== false;
  if (role === 'user' && isShown) sink.said({ role, text: orMarks(textOf(parts, isText), parts), uuid });
  // After it compacted the session, Goose tells the model a summary as the user.
  if (role === 'user' && !isShown && textOf(parts, isText) !== '') sink.compacted(textOf(parts, isText));
  for (const part of parts) {
    if (part.type === 'thinking') sink.thought?.(asText(part.thinking));
    if (role === 'assistant' && isShown && isText(part))
      sink.said({ role, text: asText(part.text) ?? '', uuid });
    if (part.type === 'toolRequest' || part.type === 'frontendToolRequest') tellCall(part, sink);
    if (part.type === 'toolResponse') tellResult(part, sink);
  }
  return true;
}

function isText(part: Row): boolean {
  return part.type === 'text';
}

function tellCall(part: Row, sink: RecordSink): void {
  const call = asRecord(asRecord(part.toolCall)?.value);
  const name = asText(call?.name) ?? 'tool';
  const input = asRecord(call?.arguments) ?? {};
  // `developer__shell`: the extension comes first.
  const tool = name.slice(name.lastIndexOf('__') < 0 ? 0 : name.lastIndexOf('__') + 2);
  const edit = typeof input.before === 'string' ? { old_string: input.before, new_string: input.after } : {};
  sink.called({
    id: asText(part.id),
    tool: tool === 'text_editor' && input.command === 'view' ? 'view' : tool,
    input: { ...input, ...edit },
  });
}

function tellResult(part: Row, sink: RecordSink): void {
  const id = asText(part.id);
  const result = asRecord(part.toolResult);
  if (id === null || result === null) return;
  const value = asRecord(result.value);
  const content = value === null ? asList(result.value) : value.content;
  const failed = result.status === 'error' || value?.isError === true;
  sink.resulted({
    id,
    output: textOf(content) || (asText(result.error) ?? ''),
    failed,
    images: imagesOf(content),
  });
}

/** See RowFormat; the kinds of parts that versions with schemas up to 13 write. */
export function unknownIn(row: Row): Row[] {
  return partsOf(row.content).filter(({ type }) => !PARTS.has(asText(type) ?? ''));
}

const PARTS = new Set([
  'text',
  'image',
  'thinking',
  'redactedThinking',
  'reasoning',
  'toolRequest',
  'toolResponse',
  'toolConfirmationRequest',
  'actionRequired',
  'frontendToolRequest',
  'systemNotification',
  // Earlier.
  'contextLengthExceeded',
  'summarizationRequested',
  'conversationCompacted',
]);
