import type { Notice } from '../../domain/result.ts';
import { sanitizeLine } from '../../domain/text/sanitize.ts';
import type { Ink } from '../terminal/ink.ts';
import { wrap } from '../terminal/width.ts';

/** One line per notice; long notices wrap with an indent. */
export function noticeLines(notices: Notice[], ink: Ink): string[] {
  return notices.flatMap(({ message, hint }) => {
    const text = sanitizeLine(hint ? `${message}: ${hint}` : message);
    return wrap(text, ink.columns - 2).map((line, i) => (i === 0 ? `${ink.style.warn('!')} ` : '  ') + line);
  });
}
