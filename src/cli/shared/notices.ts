import type { Notice } from '../../domain/search-result.ts';
import { sanitizeLine } from '../../domain/text/sanitize.ts';
import { createInk, type Ink } from '../terminal/ink.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { wrap } from '../terminal/width.ts';

/** Says on stderr what an answer lacks, before it is printed. */
export function tellNotices(notices: Notice[], terminal: Terminal): void {
  for (const line of noticeLines(notices, createInk(terminal.errorLook))) terminal.err(line);
}

/** One line per notice; long notices wrap with an indent. */
export function noticeLines(notices: Notice[], ink: Ink): string[] {
  return notices.flatMap(({ message, hint }) => {
    const text = sanitizeLine(hint ? `${message}: ${hint}` : message);
    return wrap(text, ink.columns - 2).map((line, i) => (i === 0 ? `${ink.style.warn('!')} ` : '  ') + line);
  });
}
