import { sanitizeLine } from '../../domain/text/sanitize.ts';

/** A one-line quotation that the quoted text cannot close. */
export function quoteLine(text: string): string {
  return `"${sanitizeLine(text).replaceAll('"', "'")}"`;
}
