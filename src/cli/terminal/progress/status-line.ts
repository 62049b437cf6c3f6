import type { Terminal } from '../terminal.ts';
import { displayWidth } from '../width.ts';

/** A line on stderr that is overwritten in place and erased at the end. */
interface StatusLine {
  show(text: string): void;
  erase(): void;
}

export function createStatusLine({ stderr, errorLook }: Terminal): StatusLine {
  let shown = '';
  const show = (text: string) => {
    // A single write keeps the line from flickering.
    stderr.write((shown ? eraseSequence(shown, errorLook.columns) : '') + text);
    shown = text;
  };
  return {
    show,
    erase() {
      if (shown) show('');
    },
  };
}

/** In a narrowed terminal the line has wrapped, so this goes up to its first row and clears from there. */
function eraseSequence(shown: string, columns: number): string {
  const rows = Math.max(1, Math.ceil(displayWidth(shown) / columns));
  return `${rows > 1 ? `\x1b[${rows - 1}A` : ''}\r\x1b[J`;
}
