import { sanitizeLine } from '../../../domain/text/sanitize.ts';
import { plural } from '../../../domain/text/time-text.ts';
import { flow } from '../../terminal/flow.ts';
import type { Ink } from '../../terminal/ink.ts';
import { truncate } from '../../terminal/width.ts';
import { itemsOf, type PickerState } from './picker-state.ts';
import { placesOf } from './press-while-reading.ts';
import type { ScreenContext } from './screen-context.ts';

const ROWS_FOR_ALL_KEYS = 16;
/** As wide as the number of most turns. */
const LAST_TURN = 100;

/** Key hints, most important first. */
export function footerLines(state: PickerState, context: ScreenContext, width: number): string[] {
  const { ink, rows } = context;
  const { style, symbols } = ink;
  const linesOf = (keys: string[]) => {
    const pieces = keys.map((text) => ({ text, paint: style.dim }));
    return flow(pieces, { text: symbols.separator, paint: style.dim }, width, symbols.ellipsis);
  };
  const kind = itemsOf(state)[state.cursor]?.kind ?? 'session';
  const forkAt = context.description?.forkAt ?? null;
  const lines = linesOf(keysFor(state, ink, kind, forkAt));
  // As many as for the row with the most keys, so that the list does not move with the cursor.
  const most = linesOf(keysFor(state, ink, 'session', forkAt ?? LAST_TURN)).length;
  while (lines.length < most) lines.push('');
  const head = state.reading === null ? '' : truncate(lookingFor(state, context), width, symbols.ellipsis);
  return [head, ...lines.slice(0, rows < ROWS_FOR_ALL_KEYS ? 1 : 2)];
}

function keysFor(
  state: PickerState,
  { symbols }: Ink,
  kind: keyof typeof ENTER,
  forkAt: number | null,
): string[] {
  const others = [
    'Ctrl-R resume',
    'Ctrl-Y copy',
    ...(forkAt === null ? [] : [`Ctrl-T fork at turn ${forkAt}`]),
  ];
  if (state.reading?.isTyping) return ['Enter find', 'Esc cancel'];
  if (state.reading !== null)
    return ['Enter fork', '/ find', 'n/N next match', ...others, `${symbols.upDown} scroll`, 'Esc back'];
  const scope = state.scope === 'here' ? ['Tab all repositories'] : ['Tab this repository'];
  return [
    ENTER[state.settled ? kind : 'refine'],
    ...(kind === 'session' ? [`${symbols.right} read`, ...others] : []),
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
