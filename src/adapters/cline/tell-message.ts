import { asCount, asList, asRecord, asText, parseJson } from '../jsonl/read-value.ts';
import type { RecordSink } from '../records/record-sink.ts';
import type { Row } from '../records/row-format.ts';
import { imagesOf, orMarks, partsOf, textOf } from '../records/text-of.ts';

/** Tells what a message of a session says; false if it does not have the shape of one. */
export function tellMessage(row: Row, sink: RecordSink): boolean {
  const { role, content } = row;
  const uuid = asText(row.id);
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : partsOf(content);
  if (role !== 'user' && role !== 'assistant') return false;
  const model = asText(asRecord(row.modelInfo)?.id);
  if (model !== null) sink.noted({ kind: 'context', model });
  const isResult = parts.some(({ type }) => type === 'tool_result');
  const words = wordsOf(textOf(parts, isText));
  if (role === 'user') sink.said({ role, text: isResult ? words : orMarks(words, parts), uuid });
  for (const part of parts) {
    if (part.type === 'thinking') sink.thought?.(asText(part.thinking));
    if (role === 'assistant' && isText(part)) sink.said({ role, text: asText(part.text) ?? '', uuid });
    if (part.type === 'tool_use') sink.called({ id: asText(part.id), ...callOf(part) });
    if (part.type === 'tool_result') tellResult(part, sink);
  }
  return typeof content === 'string' || Array.isArray(content);
}

function isText(part: Row): boolean {
  return part.type === 'text';
}

/** `<user_input mode="act">…</user_input>`, after a notice of a change of the mode. */
function wordsOf(text: string): string {
  const from = /<user_input\b[^>]{0,200}>/.exec(text);
  if (from === null) return text;
  const to = text.lastIndexOf('</user_input>');
  return text.slice(from.index + from[0].length, to < 0 ? undefined : to);
}

/** Its tools take lists of commands and files. */
function callOf(part: Row): { tool: string; input: unknown } {
  const tool = asText(part.name) ?? 'tool';
  const input = asRecord(part.input);
  if (tool === 'run_commands') {
    const commands = asList(input?.commands).flatMap(
      (one) => asText(one) ?? argumentsOf(asRecord(one)) ?? [],
    );
    return { tool: 'bash', input: { command: commands.join(' && ') } };
  }
  if (tool === 'read_files') {
    const files = asList(input?.files ?? input?.paths);
    return {
      tool: 'read_file',
      input: { path: asText(files[0]) ?? asText(asRecord(files[0])?.path), files },
    };
  }
  if (tool === 'editor')
    return { tool, input: { ...input, old_string: input?.old_text ?? '', new_string: input?.new_text } };
  return { tool, input: { ...input, query: asList(input?.queries).join(', ') || input?.query } };
}

function argumentsOf(command: Row | null): string | null {
  const name = asText(command?.command);
  return name === null
    ? null
    : [name, ...asList(command?.args).flatMap((one) => asText(one) ?? [])].join(' ');
}

/** A text, parts, or a list with the result of each command or file. */
function tellResult(part: Row, sink: RecordSink): void {
  const id = asText(part.tool_use_id);
  if (id === null) return;
  const { content } = part;
  const one = typeof content === 'string' ? asRecord(parseJson(content)) : null;
  const results = one === null ? partsOf(content) : [one];
  const output = results
    .flatMap((result) => asText(result.result) ?? asText(result.error) ?? asText(result.text) ?? [])
    .join('\n');
  const failed = part.is_error === true || results.some((result) => result.success === false);
  sink.resulted({ id, output: output || (asText(content) ?? ''), failed, images: imagesOf(content) });
}

/** Its input includes what the cache held. */
export function usageOfMessage(row: Row) {
  const used = row.role === 'assistant' ? asRecord(row.metrics) : null;
  if (used === null) return null;
  const [cacheRead, cacheWrite] = [asCount(used.cacheReadTokens), asCount(used.cacheWriteTokens)];
  const tokens = {
    input: Math.max(0, asCount(used.inputTokens) - cacheRead - cacheWrite),
    output: asCount(used.outputTokens),
    cacheRead,
    cacheWrite,
  };
  return { id: asText(row.id) ?? `${String(row.ts)}`, model: asText(asRecord(row.modelInfo)?.id), tokens };
}

/** See RowFormat; the kinds of parts that versions up to 4.1 write. */
export function unknownInMessage(row: Row): Row[] {
  return partsOf(row.content).filter(({ type }) => !PARTS.has(asText(type) ?? ''));
}

const PARTS = new Set('text thinking redacted_thinking image document file tool_use tool_result'.split(' '));
