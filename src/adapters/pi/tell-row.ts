import { asRecord, asText } from '../jsonl/read-value.ts';
import type { RecordSink } from '../records/record-sink.ts';
import type { Row } from '../records/row-format.ts';
import { imagesOf, orMarks, partsOf, textOf } from '../records/text-of.ts';

/** Tells what an entry says; false if it does not have the shape of its type. */
export function tellRow(row: Row, sink: RecordSink): boolean {
  switch (row.type) {
    case 'message': {
      const message = asRecord(row.message);
      if (message === null) return false;
      tellMessage(message, asText(row.id), sink);
      return true;
    }
    case 'compaction':
      sink.compacted(asText(row.summary));
      return true;
    case 'session_info': {
      const name = asText(row.name)?.trim();
      if (name) sink.noted({ kind: 'title', source: 'custom', text: name });
      return true;
    }
    default:
      return typeof row.type === 'string';
  }
}

function tellMessage(message: Row, uuid: string | null, sink: RecordSink): void {
  switch (message.role) {
    case 'user':
      sink.said({ role: 'user', text: orMarks(ownWords(textOf(message.content)), message.content), uuid });
      break;
    case 'assistant':
      tellAnswer(message, uuid, sink);
      break;
    case 'toolResult': {
      const id = asText(message.toolCallId);
      const output = textOf(message.content);
      const images = imagesOf(message.content);
      if (id !== null) sink.resulted({ id, output, failed: message.isError === true, images });
      break;
    }
    case 'bashExecution':
      sink.called({ id: uuid, tool: 'bash', input: message });
      if (uuid !== null)
        sink.resulted({
          id: uuid,
          output: asText(message.output) ?? '',
          failed: message.exitCode !== 0,
          images: [],
        });
  }
}

function tellAnswer(message: Row, uuid: string | null, sink: RecordSink): void {
  const model = asText(message.model);
  if (model !== null) sink.noted({ kind: 'context', model });
  const ended = message.stopReason === 'stop' || message.stopReason === 'toolUse';
  const closes = ended ? message.stopReason === 'stop' : undefined;
  for (const part of partsOf(message.content)) {
    if (part.type === 'thinking') sink.thought?.(asText(part.thinking));
    if (part.type === 'text') sink.said({ role: 'assistant', text: asText(part.text) ?? '', uuid, closes });
    if (part.type === 'toolCall')
      sink.called({ id: asText(part.id), tool: asText(part.name) ?? 'tool', input: part.arguments });
  }
}

/** A prompt without the files and the skill that Pi puts before it. */
function ownWords(text: string): string {
  let rest = text.trim();
  for (let name = LEADING.exec(rest)?.[1]; name !== undefined; name = LEADING.exec(rest)?.[1]) {
    const close = `</${name}>`;
    const end = rest.indexOf(close);
    if (end < 0) return rest;
    rest = rest.slice(end + close.length).trim();
  }
  return rest;
}

const LEADING = /^<(skill|file) name="/;

/** See RowFormat; the kinds that versions up to 0.74 write. */
export function unknownIn(row: Row): Row[] {
  const message = row.type === 'message' ? asRecord(row.message) : null;
  const isKnown =
    message === null ? ENTRIES.has(asText(row.type) ?? '') : ROLES.has(asText(message.role) ?? '');
  return isKnown ? [] : [row];
}

const ENTRIES = new Set([
  'session',
  'compaction',
  'session_info',
  'model_change',
  'thinking_level_change',
  'branch_summary',
  'custom',
  'custom_message',
  'label',
]);
const ROLES = new Set([
  'user',
  'assistant',
  'toolResult',
  'bashExecution',
  'branchSummary',
  'compactionSummary',
  'custom',
]);
