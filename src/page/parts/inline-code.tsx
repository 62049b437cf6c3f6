import { visible } from '../markdown/visible.ts';

/** A line of text, with words in backticks shown as code. */
export function inlineCode(text: string): preact.ComponentChild[] {
  return text
    .split(/(`[^`]+`)/)
    .map((part, index) =>
      index % 2 === 0 ? visible(part) : <code key={index}>{visible(part.slice(1, -1))}</code>,
    );
}
