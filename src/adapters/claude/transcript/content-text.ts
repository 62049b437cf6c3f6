import { isRecord } from '../../../domain/is-record.ts';
import { asList, asText } from '../../jsonl/read-value.ts';

/** A string, or the text blocks of a list; null for anything else. */
export function contentText(content: unknown): string | null {
  return Array.isArray(content) ? textsOf(content).join('\n') : asText(content);
}

/** The text blocks of a list. */
export function textsOf(content: unknown): string[] {
  return asList(content).flatMap((block) =>
    isRecord(block) && block.type === 'text' ? asText(block.text) || [] : [],
  );
}

/** `[Image]` for each image or document that stands in a prompt without text; empty if there is none. One beside a call's result is no prompt. */
export function contentMarks(content: unknown): string {
  const blocks = asList(content).filter(isRecord);
  if (blocks.some(({ type }) => type === 'tool_result')) return '';
  return blocks.flatMap(({ type }) => MARKS.get(type) ?? []).join(' ');
}

const MARKS = new Map<unknown, string>([
  ['image', '[Image]'],
  ['document', '[Document]'],
]);
