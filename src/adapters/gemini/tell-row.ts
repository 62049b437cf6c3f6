import { asList, asRecord, asText } from '../jsonl/read-value.ts';
import type { RecordSink } from '../records/record-sink.ts';
import type { Row } from '../records/row-format.ts';
import { orMarks, partsOf, textOf } from '../records/text-of.ts';

/** Tells what a message says; false if it does not have the shape of its type. */
export function tellRow(row: Row, sink: RecordSink): boolean {
  const uuid = asText(row.id);
  if (row.type === 'user') tellPrompt(row, uuid, sink);
  if (row.type === 'gemini') {
    const model = asText(row.model);
    if (model !== null) sink.noted({ kind: 'context', model });
    for (const thought of partsOf(row.thoughts)) sink.thought?.(asText(thought.description));
    const text = textOf(row.content);
    if (text !== ON_SUMMARY) sink.said({ role: 'assistant', text, uuid });
    for (const call of partsOf(row.toolCalls)) tellCall(call, sink);
  }
  return typeof row.type === 'string';
}

/** What the user typed stands beside what was sent, if they differ. */
function tellPrompt({ content, displayContent }: Row, uuid: string | null, sink: RecordSink): void {
  const sent = textOf(content).trim();
  if (isSummary(sent)) sink.compacted(sent);
  if (isSummary(sent) || WRAPPED.test(sent)) return;
  const typed = textOf(displayContent).trim() || (STEERING.exec(sent)?.[1] ?? withoutFiles(sent)).trim();
  sink.said({ role: 'user', text: orMarks(typed, content), uuid });
}

/** A compaction goes on with a prompt that is a summary, and an answer to it. */
export function isSummary(text: string): boolean {
  return text.includes('<state_snapshot>') && text.endsWith('</state_snapshot>');
}

const ON_SUMMARY = 'Got it. Thanks for the additional context!';
/** What Gemini itself says to the model. */
const WRAPPED = /^(?:<(?:session_context|hook_context)>|Background execution update:\n<background_output>)/;
/** What the user says while it works. */
const STEERING = /^User (?:steering update|hints):\n<user_input>\n([\s\S]*)\n<\/user_input>/;

function withoutFiles(text: string): string {
  const at = text.search(/^--- Content from referenced files ---$/m);
  return at < 0 ? text : text.slice(0, at);
}

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
