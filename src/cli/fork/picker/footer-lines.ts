import { sanitizeLine } from '../../../domain/text/sanitize.ts';
import { plural } from '../../../domain/text/time-text.ts';
import { flow } from '../../terminal/flow.ts';
import { truncate } from '../../terminal/width.ts';
import { itemsOf, type PickerState } from './picker-state.ts';
import { placesOf } from './press-while-reading.ts';
import type { ScreenContext } from './screen-context.ts';

const ROWS_FOR_ALL_KEYS = 16;

/** Key hints, most important first. */
export function footerLines(state: PickerState, context: ScreenContext, width: number): string[] {
  const { ink, rows } = context;
  const { style, symbols } = ink;
  const pieces = keysFor(state, context).map((text) => ({ text, paint: style.dim }));
  const lines = flow(pieces, { text: symbols.separator, paint: style.dim }, width, symbols.ellipsis);
  const head = state.reading === null ? '' : truncate(lookingFor(state, context), width, symbols.ellipsis);
  return [head, ...lines.slice(0, rows < ROWS_FOR_ALL_KEYS ? 1 : 2)];
}

function keysFor(state: PickerState, { description, ink }: ScreenContext): string[] {
  const { symbols } = ink;
  const item = itemsOf(state)[state.cursor];
  const others = [
    'Ctrl-R resume',
    'Ctrl-Y copy',
    ...(description?.forkAt == null ? [] : [`Ctrl-T fork at turn ${description.forkAt}`]),
  ];
  if (state.reading?.isTyping) return ['Enter find', 'Esc cancel'];
  if (state.reading !== null)
    return ['Enter fork', '/ find', 'n/N next match', ...others, `${symbols.upDown} scroll`, 'Esc back'];
  const scope = state.scope === 'here' ? ['Tab all repositories'] : ['Tab this repository'];
  return [
    ENTER[state.settled ? (item?.kind ?? 'session') : 'refine'],
    ...(item?.kind === 'session' ? [`${symbols.right} read`, ...others] : []),
    ...(state.scope === null ? [] : scope),
    state.choices !== null
      ? 'Esc back'
      : state.page === 'list' && state.text !== ''
        ? 'Esc clear'
        : 'Esc cancel',
  ];
}

const ENTER = {
  session: 'Enter fork',
  fresh: 'Enter select',
  leave: 'Enter select',
  refine: 'Enter search',
  more: 'Enter show',
  chat: 'Enter read',
} as const;

/** What is looked for in the session, and how often it occurs. */
function lookingFor({ reading }: PickerState, { story }: ScreenContext): string {
  const { find = '', isTyping = false } = reading ?? {};
  if (isTyping) return `/${sanitizeLine(find)}_`;
  const count = placesOf(story, find).length;
  if (find !== '')
    return `/${sanitizeLine(find)}: ${count === 0 ? 'not found' : `on ${plural(count, 'line')}`}`;
  return count === 0 ? '' : `words of the query on ${plural(count, 'line')}`;
}
