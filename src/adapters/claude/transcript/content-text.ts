import { isRecord } from '../../../domain/is-record.ts';
import { asText } from '../../jsonl/read-value.ts';

/** A string, or the text blocks of a list; null for anything else. */
export function contentText(content: unknown): string | null {
  if (!Array.isArray(content)) return asText(content);
  return content
    .map((block) => (isRecord(block) && block.type === 'text' ? (asText(block.text) ?? '') : ''))
    .filter((part) => part !== '')
    .join('\n');
}

/** `[Image]` for each image or document that stands in a prompt without text; empty if there is none. */
export function contentMarks(content: unknown): string {
  if (!Array.isArray(content)) return '';
  return content.flatMap((block) => (isRecord(block) ? (MARKS.get(block.type) ?? []) : [])).join(' ');
}

const MARKS = new Map<unknown, string>([
  ['image', '[Image]'],
  ['document', '[Document]'],
]);
