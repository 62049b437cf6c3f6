import type { Ink } from '../../terminal/ink.ts';
import { truncate } from '../../terminal/width.ts';
import { itemLines } from './item-lines.ts';
import { itemsOf, type PickerState } from './picker-state.ts';
import type { ScreenContext } from './screen-context.ts';

/** As many whole items around the highlighted one as fit, between lines that count the hidden ones. */
export function listLines(state: PickerState, context: ScreenContext, width: number, room: number): string[] {
  const items = itemsOf(state);
  if (state.results.length === 0 && state.scope === 'here') {
    const nothing = truncate(
      '  Nothing found. Tab searches all repositories.',
      width,
      context.ink.symbols.ellipsis,
    );
    return [
      context.ink.style.warn(nothing),
      ...items.flatMap((item, place) => itemLines(item, place, state, context, width)),
    ];
  }
  const draw = (place: number) => {
    const item = items[place];
    return item === undefined ? [] : itemLines(item, place, state, context, width);
  };
  const count = items.length;
  let first = state.cursor;
  let last = state.cursor;
  let shown = draw(state.cursor).slice(0, room);
  const free = () => room - shown.length - (first > 0 ? 1 : 0) - (last < count - 1 ? 1 : 0);
  for (let grown = true; grown; ) {
    grown = false;
    const below = last + 1 < count ? draw(last + 1) : [];
    // The last item needs no line that counts hidden ones.
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
  return [
    ...mark(first, 'above', context.ink),
    ...shown,
    ...mark(count - 1 - last, 'below', context.ink),
  ].slice(0, room);
}

function mark(hidden: number, where: string, { style }: Ink): string[] {
  return hidden > 0 ? [style.dim(`  ${hidden} more ${where}`)] : [];
}
