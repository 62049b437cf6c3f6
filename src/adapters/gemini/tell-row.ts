import { asList, asRecord, asText } from '../jsonl/read-value.ts';
import type { RecordSink } from '../records/record-sink.ts';
import type { Row } from '../records/row-format.ts';
import { orMarks, partsOf, textOf } from '../records/text-of.ts';

/** Tells what a message says; false if it does not have the shape of its type. */
export function tellRow(row: Row, sink: RecordSink): boolean {
  const uuid = asText(row.id);
  if (row.type === 'user') {
    const text = textOf(row.content).trim();
    if (!WRAPPED.test(text)) sink.said({ role: 'user', text: orMarks(text, row.content), uuid });
  }
  if (row.type === 'gemini') {
    const model = asText(row.model);
    if (model !== null) sink.noted({ kind: 'context', model });
    for (const thought of partsOf(row.thoughts)) sink.thought?.(asText(thought.description));
    sink.said({ role: 'assistant', text: textOf(row.content), uuid });
    for (const call of partsOf(row.toolCalls)) tellCall(call, sink);
  }
  return typeof row.type === 'string';
}

/** What Gemini itself says to the model. */
const WRAPPED = /^<(?:session_context|hook_context)>/;

function tellCall(call: Row, sink: RecordSink): void {
  const id = asText(call.id);
  sink.called({ id, tool: asText(call.name) ?? 'tool', input: call.args });
  if (id === null || call.result === undefined || call.result === null) return;
  const output = asList(call.result)
    .map((part) => asRecord(asRecord(asRecord(part)?.functionResponse)?.response))
    .flatMap((response) => asText(response?.output) ?? asText(response?.error) ?? [])
    .join('\n')
    // The shell tool puts this word before a command's output.
    .replace(/^Output: /, '');
  sink.resulted({ id, output, failed: call.status === 'error' || call.status === 'cancelled', images: [] });
}

/** See RowFormat; the kinds that versions up to 0.61 write. */
export function unknownIn(row: Row): Row[] {
  return TYPES.has(asText(row.type) ?? '') ? [] : [row];
}

const TYPES = new Set(['user', 'gemini', 'info', 'error', 'warning']);
