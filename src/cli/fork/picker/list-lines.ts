import type { Ink } from '../../terminal/ink.ts';
import { truncate } from '../../terminal/width.ts';
import { itemLines } from './item-lines.ts';
import { itemsOf, type PickerState } from './picker-state.ts';
import type { ScreenContext } from './screen-context.ts';

/** Five sessions and a line that counts the others. With less room, the fixed items scroll along. */
const MIN_FOR_RESULTS = 11;

/** The sessions that fit around the highlighted one, above the fixed items, which stay in view. */
export function listLines(state: PickerState, context: ScreenContext, width: number, room: number): string[] {
  const items = itemsOf(state);
  const draw = (place: number) => {
    const item = items[place];
    return item === undefined ? [] : itemLines(item, place, state, context, width);
  };
  const results = items.filter(({ kind }) => kind === 'result').length;
  const fixed = items.slice(results).flatMap((_, at) => draw(results + at));
  const { style, symbols } = context.ink;
  if (results === 0 && state.scope === 'here' && state.results.length === 0) {
    const nothing = '  Nothing found. Tab searches all repositories.';
    return [style.warn(truncate(nothing, width, symbols.ellipsis)), ...fixed];
  }
  const left = room - fixed.length;
  const range = { count: items.length, at: state.cursor };
  if (results === 0 || left < MIN_FOR_RESULTS) return windowLines(range, draw, room, context.ink);
  const about = items.findIndex((item) => item.kind === 'result' && item.result.session_id === state.about);
  const at = state.cursor < results ? state.cursor : Math.max(0, about);
  return [...windowLines({ count: results, at }, draw, left, context.ink), ...fixed];
}

/** As many whole items around the highlighted one as fit, between lines that count the hidden ones. */
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
    // After the last item, no line is needed to count hidden ones.
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
  return [...mark(first, 'above', ink), ...shown, ...mark(count - 1 - last, 'below', ink)].slice(0, room);
}

function mark(hidden: number, where: string, { style }: Ink): string[] {
  return hidden > 0 ? [style.dim(`  ${hidden} more ${where}`)] : [];
}
