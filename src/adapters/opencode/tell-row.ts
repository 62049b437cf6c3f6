import { asRecord, asText } from '../jsonl/read-value.ts';
import type { RecordSink } from '../records/record-sink.ts';
import type { Row } from '../records/row-format.ts';
import { orMarks, partsOf } from '../records/text-of.ts';

/** Tells what a message and its parts say; false if it does not have the shape of a message. */
export function tellRow(row: Row, sink: RecordSink): boolean {
  const uuid = asText(row.id);
  const parts = partsOf(row.parts);
  if (row.role === 'user') {
    sink.said({ role: 'user', text: orMarks(textsIn(parts).join('\n'), parts), uuid });
    return true;
  }
  if (row.role !== 'assistant') return false;
  const model = asText(row.modelID);
  if (model !== null) sink.noted({ kind: 'context', model });
  if (row.summary === true) sink.compacted(textsIn(parts).join('\n'));
  else tellAnswer(row, parts, uuid, sink);
  return true;
}

function tellAnswer(row: Row, parts: Row[], uuid: string | null, sink: RecordSink): void {
  const closes = typeof row.finish === 'string' ? row.finish === 'stop' : undefined;
  for (const part of parts) {
    if (part.type === 'reasoning') sink.thought?.(asText(part.text));
    for (const text of textsIn([part])) sink.said({ role: 'assistant', text, uuid, closes });
    if (part.type === 'tool') tellCall(part, sink);
  }
}

function tellCall(part: Row, sink: RecordSink): void {
  const id = asText(part.callID);
  const state = asRecord(part.state);
  sink.called({ id, tool: asText(part.tool) ?? 'tool', input: state?.input });
  const failed = state?.status === 'error';
  if (id === null || (state?.status !== 'completed' && !failed)) return;
  sink.resulted({ id, output: asText(state.output) ?? asText(state.error) ?? '', failed, images: [] });
}

/** Text that somebody wrote: OpenCode adds texts of its own, such as the content of files. */
function textsIn(parts: Row[]): string[] {
  return parts
    .filter((part) => part.type === 'text' && part.synthetic !== true && part.ignored !== true)
    .flatMap((part) => asText(part.text) ?? []);
}

/** See RowFormat; the kinds of parts that versions up to 1.18 write. */
export function unknownIn(row: Row): Row[] {
  return partsOf(row.parts).filter(({ type }) => !PARTS.has(asText(type) ?? ''));
}

const PARTS = new Set([
  'text',
  'reasoning',
  'tool',
  'file',
  'patch',
  'snapshot',
  'step-start',
  'step-finish',
  'agent',
  'subtask',
  'retry',
  'compaction',
  // Before 0.6.
  'tool-invocation',
  'source-url',
]);
