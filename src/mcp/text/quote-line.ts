import { sanitizeLine } from '../../domain/text/sanitize.ts';

/** A quotation on one line that nothing in it can end. */
export function quoteLine(text: string): string {
  return `"${sanitizeLine(text).replaceAll('"', "'")}"`;
}
