import type { Ink } from '../../terminal/ink.ts';
import { padPainted } from '../../terminal/width.ts';
import { footerLines } from './footer-lines.ts';
import { headerLines } from './header-lines.ts';
import { listLines } from './list-lines.ts';
import type { PickerState } from './picker-state.ts';
import { previewLines } from './preview-lines.ts';
import type { ScreenContext } from './screen-context.ts';
import { storyLines } from './story-lines.ts';

export interface Screen {
  lines: string[];
  /** The largest useful scroll position. */
  deepest: number;
}

const MIN_ROWS = 8;
/** At this width, the preview is shown beside the list. */
const WIDE = 100;
/** With fewer rows there is no preview. */
const ROWS_FOR_PREVIEW = 12;
/** Longer lines are hard to read. */
const WIDEST_STORY = 100;

/** The whole screen, at most `rows - 1` lines, none as wide as the terminal: it never scrolls and never wraps. */
export function screenLines(state: PickerState, context: ScreenContext): Screen {
  const width = context.ink.columns - 1;
  const rows = Math.max(MIN_ROWS, context.rows) - 1;
  const footer = footerLines(state, context, width);
  const room = rows - footer.length;
  if (state.reading) {
    const story = storyLines(state, context, Math.min(width, WIDEST_STORY));
    const { lines, deepest } = scrolled(story, state.scroll, room, context.ink);
    return { lines: [...lines, ...footer], deepest };
  }
  const header = headerLines(state, context, width);
  const { lines, deepest } = bodyScreen(state, context, width, room - header.length);
  return { lines: [...header, ...lines, ...footer], deepest };
}

function bodyScreen(state: PickerState, context: ScreenContext, width: number, room: number): Screen {
  if (width >= WIDE) return besideScreen(state, context, width, room);
  if (room >= ROWS_FOR_PREVIEW) return belowScreen(state, context, width, room);
  return { lines: listLines(state, context, width, room), deepest: 0 };
}

function besideScreen(state: PickerState, context: ScreenContext, width: number, room: number): Screen {
  const { ink } = context;
  const left = Math.max(48, Math.min(80, Math.floor(width * 0.45)));
  const list = listLines(state, context, left, room);
  const preview = previewLines(state, context, Math.min(WIDEST_STORY, width - left - 3), { withTitle: true });
  const { lines, deepest } = scrolled(preview, state.scroll, room, ink);
  const gutter = ink.style.dim(ink.symbols.gutter);
  const both = Array.from({ length: room }, (_, row) =>
    `${padPainted(list[row] ?? '', left)} ${gutter} ${lines[row] ?? ''}`.trimEnd(),
  );
  return { lines: both, deepest };
}

function belowScreen(state: PickerState, context: ScreenContext, width: number, room: number): Screen {
  const { ink } = context;
  const list = listLines(state, context, width, Math.ceil(room * 0.6));
  const preview = previewLines(state, context, width, { withTitle: false });
  const { lines, deepest } = scrolled(preview, state.scroll, room - list.length - 1, ink);
  return { lines: [...list, ink.style.dim(ink.symbols.rule.repeat(width)), ...lines], deepest };
}

function scrolled(lines: string[], scroll: number, room: number, ink: Ink): Screen {
  if (lines.length <= room) return { lines, deepest: 0 };
  const deepest = lines.length - room + 1;
  const from = Math.min(scroll, deepest);
  const shown = lines.slice(from, from + room - 1);
  const left = lines.length - from - shown.length;
  return { lines: [...shown, ink.style.dim(left > 0 ? `${left} more lines` : '(end)')], deepest };
}
