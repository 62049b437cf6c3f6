import type { Ink } from '../../terminal/ink.ts';
import { truncate } from '../../terminal/width.ts';
import { itemLines } from './item-lines.ts';
import { itemsOf, type PickerState } from './picker-state.ts';
import type { ScreenContext } from './screen-context.ts';

/** How many lines all choices take; on the list, a few sessions. */
export function shortestList(state: PickerState, context: ScreenContext, width: number): number {
  if (state.page === 'list') return 0;
  return itemsOf(state).flatMap((item, place) => itemLines(item, place, state, context, width)).length;
}

/** The items that fit around the highlighted one. */
export function listLines(state: PickerState, context: ScreenContext, width: number, room: number): string[] {
  const items = itemsOf(state);
  const draw = (place: number) => {
    const item = items[place];
    return item === undefined ? [] : itemLines(item, place, state, context, width);
  };
  const nothing = nothingLines(state, context, width);
  const range = { count: items.length, at: state.cursor };
  return [...nothing, ...windowLines(range, draw, room - nothing.length, context.ink)];
}

function nothingLines(state: PickerState, { ink }: ScreenContext, width: number): string[] {
  if (state.results.length > 0 || !state.settled) return [];
  const more = state.scope === 'here' ? ' Tab searches all repositories.' : '';
  const found = state.text === '' ? 'No sessions: smart-fork index reads new ones.' : 'Nothing found.';
  return [ink.style.warn(truncate(`  ${found}${more}`, width, ink.symbols.ellipsis))];
}

/** As many whole items around the highlighted one as fit, between lines that mark hidden ones. */
function windowLines(
  { count, at }: { count: number; at: number },
  draw: (place: number) => string[],
  room: number,
  ink: Ink,
): string[] {
  let first = at;
  let last = at;
  let shown = draw(at).slice(0, room);
  const free = () => room - shown.length - (first > 0 ? 1 : 0) - (last < count - 1 ? 1 : 0);
  for (let grown = true; grown; ) {
    grown = false;
    const below = last + 1 < count ? draw(last + 1) : [];
    // After the last item, no line is needed to mark hidden ones.
    if (below.length > 0 && below.length <= free() + (last + 1 === count - 1 ? 1 : 0)) {
      last += 1;
      shown = [...shown, ...below];
      grown = true;
    }
    const above = first > 0 ? draw(first - 1) : [];
    if (above.length > 0 && above.length <= free() + (first === 1 ? 1 : 0)) {
      first -= 1;
      shown = [...above, ...shown];
      grown = true;
    }
  }
  return [...mark(first > 0, 'above', ink), ...shown, ...mark(last < count - 1, 'below', ink)].slice(0, room);
}

/** The count of all is in the header. */
function mark(isHidden: boolean, where: string, { style }: Ink): string[] {
  return isHidden ? [style.dim(`  more ${where}`)] : [];
}
