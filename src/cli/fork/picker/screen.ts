import { paintRanges } from '../../../domain/text/marked-text.ts';
import type { Ink } from '../../terminal/ink.ts';
import { padPainted } from '../../terminal/width.ts';
import { footerLines } from './footer-lines.ts';
import { headerLines } from './header-lines.ts';
import { listLines, shortestList } from './list-lines.ts';
import type { PickerState } from './picker-state.ts';
import { previewLines } from './preview-lines.ts';
import type { ScreenContext } from './screen-context.ts';
import type { StoryLine } from './story-lines.ts';

export interface Screen {
  lines: string[];
  /** The largest useful scroll position. */
  deepest: number;
}

const MIN_ROWS = 8;
/** At this width, the preview is shown beside the list. */
const WIDE = 100;
/** A preview below the list has at least so many lines, or there is none. */
const LEAST_PREVIEW = 4;
/** Longer lines are hard to read. */
const WIDEST_STORY = 100;

/** The width of the lines of a session that is read. */
export function storyWidth({ columns }: Pick<Ink, 'columns'>): number {
  return Math.min(columns - 1, WIDEST_STORY);
}

/** The whole screen, at most `rows - 1` lines, none as wide as the terminal: it never scrolls and never wraps. */
export function screenLines(state: PickerState, context: ScreenContext): Screen {
  const width = context.ink.columns - 1;
  const rows = Math.max(MIN_ROWS, context.rows) - 1;
  const footer = footerLines(state, context, width);
  const room = rows - footer.length;
  if (state.reading !== null) {
    const { find } = state.reading;
    const paint = (line: StoryLine) => paintLine(line, find, context.ink);
    const { lines, deepest } = scrolled(context.story, state.scroll, room, context.ink, paint);
    return { lines: [...lines, ...footer], deepest };
  }
  const header = headerLines(state, context, width);
  const { lines, deepest } = bodyScreen(state, context, width, room - header.length);
  return { lines: [...header, ...lines, ...footer], deepest };
}

function bodyScreen(state: PickerState, context: ScreenContext, width: number, room: number): Screen {
  if (width >= WIDE) return besideScreen(state, context, width, room);
  const least = Math.max(shortestList(state, context, width), Math.ceil(room * 0.5));
  const left = room - least - 1;
  if (left < LEAST_PREVIEW) return { lines: listLines(state, context, width, room), deepest: 0 };
  return belowScreen(state, context, width, { list: least, preview: left });
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

function belowScreen(
  state: PickerState,
  context: ScreenContext,
  width: number,
  rooms: { list: number; preview: number },
): Screen {
  const { ink } = context;
  const list = listLines(state, context, width, rooms.list);
  const preview = previewLines(state, context, width, { withTitle: false });
  const room = rooms.preview + rooms.list - list.length;
  const { lines, deepest } = scrolled(preview, state.scroll, room, ink);
  return { lines: [...list, ink.style.dim(ink.symbols.rule.repeat(width)), ...lines], deepest };
}

function scrolled<T>(
  lines: readonly T[],
  scroll: number,
  room: number,
  ink: Ink,
  paint: (line: T) => string = String,
): Screen {
  if (lines.length <= room) return { lines: lines.map(paint), deepest: 0 };
  const deepest = lines.length - room + 1;
  const from = Math.min(scroll, deepest);
  const shown = lines.slice(from, from + room - 1);
  const left = lines.length - from - shown.length;
  return {
    lines: [
      ...shown.map(paint),
      ink.style.dim(left > 0 ? `${left} more ${left === 1 ? 'line' : 'lines'}: PgDn` : '(end)'),
    ],
    deepest,
  };
}

/** A line with the text that the user looks for marked, or the words of the query. */
function paintLine({ text, ranges, paint }: StoryLine, find: string, { style }: Ink): string {
  const found = find === '' ? ranges : occurrences(text, find);
  if (found.length === 0) return paint === null ? text : style[paint](text);
  return paintRanges({ text, ranges: found }, style.match);
}

function occurrences(text: string, find: string): [number, number][] {
  const [low, wanted] = [text.toLowerCase(), find.toLowerCase()];
  const found: [number, number][] = [];
  for (let at = low.indexOf(wanted); at >= 0; at = low.indexOf(wanted, at + wanted.length))
    found.push([at, at + wanted.length]);
  return found;
}
