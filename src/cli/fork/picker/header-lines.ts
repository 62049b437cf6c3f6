import { isWeak } from '../../../domain/search/certainty.ts';
import { sanitizeLine } from '../../../domain/text/sanitize.ts';
import { displayWidth, padEnd, truncate } from '../../terminal/width.ts';
import { itemsOf, type PickerState } from './picker-state.ts';
import type { ScreenContext } from './screen-context.ts';

/** The question, and the line for typing a filter. */
export function headerLines(state: PickerState, context: ScreenContext, width: number): string[] {
  const { ink } = context;
  const question = isWeak(context.fit) ? closestLine(context, width) : questionLine(context, width);
  return [ink.style.strong(question), filterLine(state, context, width)];
}

/** Says that nothing fits, as `search` does. */
export function closestLine(
  { query, fit, ink }: Pick<ScreenContext, 'query' | 'fit' | 'ink'>,
  width: number,
): string {
  const after = `: ${fit?.text}:`;
  return `"${truncate(sanitizeLine(query), width - after.length - 2, ink.symbols.ellipsis)}"${after}`;
}

function questionLine({ query, ink }: ScreenContext, width: number): string {
  const words = sanitizeLine(query);
  const question = 'Which session would you like to fork';
  const whole = words === '' ? `${question}?` : `${question} for "${words}"?`;
  if (displayWidth(whole) <= width) return whole;
  const room = width - displayWidth(`${question} for ""?`);
  if (words !== '' && room >= 12) return `${question} for "${truncate(words, room, ink.symbols.ellipsis)}"?`;
  return truncate(words === '' ? whole : `Fork for "${words}"`, width, ink.symbols.ellipsis);
}

/** The filter on the left; on the right, how much is shown and of what. */
function filterLine(state: PickerState, context: ScreenContext, width: number): string {
  const { ink, status } = context;
  const { style, symbols } = ink;
  const right = truncate(status ?? countsOf(state, context, width), width - 12, symbols.ellipsis);
  const room = width - displayWidth(right) - 5;
  const placeholder = 'type to filter';
  const typed =
    state.filter === ''
      ? `_ ${style.dim(truncate(placeholder, room - 2, symbols.ellipsis))}`
      : `${tailOf(sanitizeLine(state.filter), room - 1, symbols.ellipsis)}_`;
  const used = state.filter === '' ? `_ ${truncate(placeholder, room - 2, symbols.ellipsis)}` : typed;
  const gap = padEnd(used, room + 1).slice(used.length);
  return `${style.accent('>')} ${typed}${gap} ${status === null ? style.dim(right) : style.warn(right)}`;
}

/** Narrower screens get shorter texts. */
const WIDE = 60;

function countsOf(state: PickerState, { preferred, ink }: ScreenContext, width: number): string {
  const { separator } = ink.symbols;
  const shown = itemsOf(state).filter(({ kind }) => kind === 'result').length;
  const count =
    state.filter === '' ? `${shown}${state.more ? '+' : ''} found` : `${shown} of ${state.results.length}`;
  if (state.scope === null) return count;
  const isHere = state.scope === 'here';
  if (width < WIDE) return `${count}${separator}${isHere ? 'here' : 'all'}`;
  if (isHere || preferred === undefined)
    return `${count}${separator}${isHere ? 'this repository' : 'all repositories'}`;
  return `${count}${separator}${sanitizeLine(preferred)} first, unless --everywhere`;
}

/** Shows the end of a long text, where the user is typing. */
function tailOf(text: string, width: number, ellipsis: string): string {
  if (displayWidth(text) <= width) return text;
  const parts = [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);
  while (parts.length > 0 && displayWidth(parts.join('')) > width - ellipsis.length) parts.shift();
  return ellipsis + parts.join('');
}
