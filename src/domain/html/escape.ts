import { sanitize } from '../text/sanitize.ts';

/** Text of a transcript as HTML text or as the value of a quoted attribute. What could hide or reorder text is removed. */
export function escapeHtml(text: string): string {
  return sanitize(text).replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`);
}
