import { sanitizeLine } from '../../../domain/text/sanitize.ts';
import type { Ink } from '../../terminal/ink.ts';
import { displayWidth, truncate, wrap } from '../../terminal/width.ts';
import { boxLines } from './box-lines.ts';
import { itemLines } from './item-lines.ts';
import { itemsOf, type PickerState } from './picker-state.ts';
import { previewLines } from './preview-lines.ts';
import type { ScreenContext } from './screen-context.ts';
import { storyLines } from './story-lines.ts';

export interface Screen {
  lines: string[];
  /** The largest scroll with an effect. */
  deepest: number;
}

const WIDEST = 100;
const FEWEST_ROWS = 8;

/** The whole screen, at most `rows - 1` lines, none as wide as the terminal: it never scrolls and never wraps. */
export function screenLines(state: PickerState, context: ScreenContext): Screen {
  const width = Math.min(WIDEST, context.ink.columns - 1);
  const rows = Math.max(FEWEST_ROWS, context.rows) - 1;
  const footer = footerLines(state, context, width);
  const room = rows - footer.length;
  const body =
    state.view === 'story'
      ? scrolled(storyLines(state, context, width), state.scroll, room, context.ink)
      : state.view === 'preview'
        ? previewScreen(state, context, width, room)
        : { lines: listScreen(state, context, width, room), deepest: 0 };
  return { lines: [...body.lines.slice(0, room), ...footer], deepest: body.deepest };
}

function listScreen(state: PickerState, context: ScreenContext, width: number, room: number): string[] {
  const { ink } = context;
  const question = questionLines(state, context, width);
  const items = itemsOf(state);
  const draw = (place: number) => {
    const item = items[place];
    return item === undefined ? [] : itemLines(item, place, state, context, width);
  };
  if (items.length <= room) {
    const box = boxLines('Fork Session', width, ink, true);
    const blocks = items.map((_, place) => draw(place));
    const last = blocks.length - 1;
    const roomy = [...box, '', ...question, '', ...blocks.flatMap((b, i) => (i === last ? b : [...b, '']))];
    if (roomy.length <= room) return roomy;
    const close = [...box, ...question, '', ...blocks.flat()];
    if (close.length <= room) return close;
  }
  const top = question.slice(0, 1);
  return [...top, ...windowOf(items.length, state.cursor, room - top.length, draw, ink)];
}

/** As many whole blocks around the highlighted one as fit, between lines that count the hidden ones. */
function windowOf(
  count: number,
  cursor: number,
  room: number,
  draw: (place: number) => string[],
  ink: Ink,
): string[] {
  let first = cursor;
  let last = cursor;
  let shown = draw(cursor);
  for (let grown = true; grown; ) {
    const below = last + 1 < count ? draw(last + 1) : null;
    const takesBelow = below !== null && shown.length + below.length <= room - 2;
    if (takesBelow) {
      last += 1;
      shown = [...shown, ...below];
    }
    const above = first > 0 ? draw(first - 1) : null;
    const takesAbove = above !== null && shown.length + above.length <= room - 2;
    if (takesAbove) {
      first -= 1;
      shown = [...above, ...shown];
    }
    grown = takesBelow || takesAbove;
  }
  const mark = (hidden: number, where: string) =>
    hidden > 0 ? [ink.style.dim(`  ${hidden} more ${where}`)] : [];
  return [...mark(first, 'above'), ...shown, ...mark(count - 1 - last, 'below')];
}

function previewScreen(state: PickerState, context: ScreenContext, width: number, room: number): Screen {
  const { ink } = context;
  const items = itemsOf(state);
  const title = (place: number) => {
    const item = items[place];
    return item === undefined ? [] : itemLines(item, place, state, context, width).slice(0, 1);
  };
  const list = windowOf(items.length, state.cursor, Math.max(5, room >> 2), title, ink);
  const rule = ink.style.dim(ink.symbols.rule.repeat(width));
  const pane = room - list.length - 1;
  const { lines, deepest } = scrolled(previewLines(state, context, width), state.scroll, pane, ink);
  return { lines: [...list, rule, ...lines], deepest };
}

function scrolled(lines: string[], scroll: number, room: number, ink: Ink): Screen {
  if (lines.length <= room) return { lines, deepest: 0 };
  const deepest = lines.length - room + 1;
  const from = Math.min(scroll, deepest);
  const shown = lines.slice(from, from + room - 1);
  const left = lines.length - from - shown.length;
  return { lines: [...shown, ink.style.dim(left > 0 ? `${left} more lines` : '(end)')], deepest };
}

function questionLines(state: PickerState, { query, ink, status }: ScreenContext, width: number): string[] {
  if (state.typing || state.filter !== '') {
    const count = itemsOf(state).filter(({ kind }) => kind === 'result').length;
    const caret = state.typing ? '_' : '';
    const found = ` (${count} of ${state.results.length})`;
    const typed = truncate(
      sanitizeLine(state.filter) + caret,
      width - 8 - found.length,
      ink.symbols.ellipsis,
    );
    return [`${ink.style.accent('Filter:')} ${typed}${ink.style.dim(found)}`];
  }
  const words = sanitizeLine(query);
  const question =
    words === ''
      ? 'Which session would you like to fork?'
      : `Which session would you like to fork for "${truncate(words, 2 * width - 60, ink.symbols.ellipsis)}"?`;
  const lines = wrap(question, width).slice(0, 2).map(ink.style.strong);
  return status === null ? lines : [...lines, ink.style.warn(truncate(status, width, ink.symbols.ellipsis))];
}

function footerLines(state: PickerState, { ink, status }: ScreenContext, width: number): string[] {
  const keys = keysFor(state, ink);
  const separator = ink.symbols.separator;
  let line = '';
  const lines: string[] = [];
  for (const key of keys) {
    const next = line === '' ? key : line + separator + key;
    if (displayWidth(next) > width) {
      lines.push(line);
      line = key;
    } else line = next;
  }
  const below =
    state.view === 'list' || status === null ? [] : [truncate(status, width, ink.symbols.ellipsis)];
  return ['', ...below, ...[...lines, line].map(ink.style.dim)];
}

function keysFor({ view, typing, more, filter }: PickerState, { symbols }: Ink): string[] {
  if (view === 'story') return ['Enter to fork it', `${symbols.upDown} to scroll`, 'Esc to go back'];
  if (typing)
    return ['Type to filter', 'Enter to select', `${symbols.upDown} to navigate`, 'Esc to show all'];
  const leave = view === 'preview' ? 'Esc to close it' : filter === '' ? 'Esc to cancel' : 'Esc to show all';
  return [
    'Enter to select',
    `${symbols.upDown} to navigate`,
    view === 'preview' ? 'PgUp/PgDn to scroll' : 'Tab to preview',
    '/ to filter',
    ...(more ? ['m for more'] : []),
    leave,
  ];
}
