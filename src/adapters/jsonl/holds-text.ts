import { isRecord } from '../../domain/is-record.ts';

/** Whether a line of a kind that is not known holds text, in the fields in which agents write what people say. */
export function holdsText(value: unknown, depth = 0): boolean {
  if (Array.isArray(value)) return depth < MAX_DEPTH && value.some((one) => holdsText(one, depth + 1));
  if (!isRecord(value) || depth > MAX_DEPTH) return false;
  return TEXT_FIELDS.some((name) => {
    const field = value[name];
    return typeof field === 'string' ? LETTERS.test(field) : holdsText(field, depth + 1);
  });
}

const MAX_DEPTH = 4;
const TEXT_FIELDS = [
  'text',
  'message',
  'content',
  'prompt',
  'answer',
  'answers',
  'feedback',
  'comment',
  'body',
  'input',
  'payload',
  'data',
  'item',
  'summary',
  'parts',
  'systemPayload',
  'displayText',
  'note',
  'value',
  'question',
];
const LETTERS = /\p{L}\p{L}/u;
