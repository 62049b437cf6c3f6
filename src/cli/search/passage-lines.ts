import { type Marked, paintRanges, sliceMarked } from '../../domain/text/marked-text.ts';
import { sanitizeMarked } from '../../domain/text/sanitize.ts';
import type { Ink } from '../terminal/ink.ts';
import { displayWidth, wrap } from '../terminal/width.ts';

const MAX_LINES = 3;

/** The lines of a passage with the most marked words, or all of them, wrapped to `width` columns. */
export function passageLines(snippet: Marked, ink: Ink, width: number, all = false): string[] {
  const { ellipsis } = ink.symbols;
  const marked = withEllipsis(sanitizeMarked(snippet), ellipsis);
  if (marked.text === '') return [];
  const lines = markedLines(marked, width - 2 * (displayWidth(ellipsis) + 1));
  const most = all ? lines.length : MAX_LINES;
  const first = bestWindow(lines, most);
  const last = Math.min(first + most, lines.length) - 1;
  return lines.slice(first, last + 1).map((line, i) => {
    const before = i === 0 && first > 0 ? `${ink.style.dim(ellipsis)} ` : '';
    const after = first + i === last && last < lines.length - 1 ? ` ${ink.style.dim(ellipsis)}` : '';
    return before + paintRanges(line, ink.style.match) + after;
  });
}

/** Replaces a snippet's `…`, which not every terminal can show. */
function withEllipsis({ text, ranges }: Marked, ellipsis: string): Marked {
  if (ellipsis === '…') return { text, ranges };
  const shift = text.startsWith('… ') ? ellipsis.length - 1 : 0;
  const open = shift > 0 ? ellipsis + text.slice(1) : text;
  return {
    text: open.endsWith(' …') ? open.slice(0, -1) + ellipsis : open,
    ranges: ranges.map(([start, end]) => [start + shift, end + shift]),
  };
}

/** Wraps marked text; the ranges stay on their words. */
export function markedLines(marked: Marked, width: number): Marked[] {
  let at = 0;
  return wrap(marked.text, width).map((text) => {
    const start = marked.text.indexOf(text, at);
    // Wrapping may have composed characters, in which case the line gets no marks.
    if (start === -1) return { text, ranges: [] };
    at = start + text.length;
    return sliceMarked(marked, start, at);
  });
}

/** Index of the first of `size` lines with the most distinct marked words. */
function bestWindow(lines: Marked[], size: number): number {
  let best = 0;
  let most = -1;
  for (let first = 0; first <= Math.max(0, lines.length - size); first++) {
    const words = lines.slice(first, first + size).flatMap(markedWords);
    const score = new Set(words).size + words.length / 1000;
    if (score > most) {
      best = first;
      most = score;
    }
  }
  return best;
}

function markedWords({ text, ranges }: Marked): string[] {
  return ranges.map(([start, end]) => text.slice(start, end).toLowerCase());
}
