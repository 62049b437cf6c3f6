import { asRecord, asText } from '../jsonl/read-value.ts';
import type { RecordSink } from '../records/record-sink.ts';
import type { Row } from '../records/row-format.ts';
import { orMarks, partsOf, textOf } from '../records/text-of.ts';

/** Tells what a record says; false if it does not have the shape of its type. */
export function tellRow(row: Row, sink: RecordSink): boolean {
  if (row.type === 'system') {
    tellSystem(row, sink);
    return true;
  }
  const message = asRecord(row.message);
  if (row.type !== 'user' && row.type !== 'assistant' && row.type !== 'tool_result')
    return typeof row.type === 'string';
  if (message === null) return false;
  const uuid = asText(row.uuid);
  const parts = partsOf(message.parts);
  if (row.type === 'user' && row.subtype !== 'notification') {
    const shown = asText(asRecord(row.systemPayload)?.displayText);
    sink.said({ role: 'user', text: shown ?? orMarks(ownWords(textOf(message.parts)), message.parts), uuid });
  }
  if (row.type === 'assistant') {
    const model = asText(row.model);
    if (model !== null) sink.noted({ kind: 'context', model });
    sink.thought?.(textOf(parts, (part) => part.thought === true));
    sink.said({ role: 'assistant', text: textOf(parts, (part) => part.thought !== true), uuid });
  }
  for (const part of parts) tellCall(part, sink);
  return true;
}

function tellSystem(row: Row, sink: RecordSink): void {
  const payload = asRecord(row.systemPayload);
  if (row.subtype === 'chat_compression') sink.compacted(asText(payload?.summary));
  if (row.subtype === LAUNCH)
    sink.said({ role: 'user', text: asText(payload?.displayText) ?? '', uuid: asText(row.uuid) });
  const title = row.subtype === 'custom_title' ? asText(payload?.customTitle)?.trim() : undefined;
  if (!title) return;
  // Older versions had only names that were given.
  const isGiven = (payload?.titleSource ?? 'manual') === 'manual';
  // Qwen Code shows the last title, and makes none after the user's, unless the user went back to before it.
  if (!isGiven) sink.noted({ kind: 'title', source: 'custom', text: '' });
  sink.noted({ kind: 'title', source: isGiven ? 'custom' : 'ai', text: title });
}

function tellCall(part: Row, sink: RecordSink): void {
  const call = asRecord(part.functionCall);
  if (call !== null)
    sink.called({ id: asText(call.id), tool: asText(call.name) ?? 'tool', input: call.args });
  const result = asRecord(part.functionResponse);
  const id = asText(result?.id);
  if (id === null) return;
  const response = asRecord(result?.response);
  const error = asText(response?.error);
  sink.resulted({ id, output: error ?? asText(response?.output) ?? '', failed: error !== null, images: [] });
}

/** A prompt without what hooks and files added to it. */
function ownWords(text: string): string {
  const at = text.search(ADDED);
  return (at < 0 ? text : text.slice(0, at)).trim();
}

const ADDED = /<qwen:[\w-]{1,60}>|^--- Content from referenced files ---$/m;

/** See RowFormat; the kinds that versions up to 0.21 write. */
export function unknownIn(row: Row): Row[] {
  const isKnown =
    row.type === 'system' ? SYSTEM.has(asText(row.subtype) ?? '') : TYPES.has(asText(row.type) ?? '');
  return isKnown ? [] : [row];
}

/** The task of a subagent that began as a fork. */
const LAUNCH = 'agent_launch_prompt';
const TYPES = new Set(['user', 'assistant', 'tool_result']);
const SYSTEM = new Set([
  'chat_compression',
  'slash_command',
  'at_command',
  'ui_telemetry',
  'custom_title',
  'rewind',
  'attribution_snapshot',
  'session_artifact_snapshot',
  // Of subagents.
  'agent_bootstrap',
  LAUNCH,
]);
