import { flow } from '../../terminal/flow.ts';
import type { PickerState } from './picker-state.ts';
import { itemsOf } from './picker-state.ts';
import type { ScreenContext } from './screen-context.ts';

const ROWS_FOR_ALL_KEYS = 16;

/** Key hints, most important first. */
export function footerLines(state: PickerState, context: ScreenContext, width: number): string[] {
  const { ink, rows } = context;
  const { style, symbols } = ink;
  const pieces = keysFor(state, context).map((text) => ({ text, paint: style.dim }));
  const lines = flow(pieces, { text: symbols.separator, paint: style.dim }, width, symbols.ellipsis);
  return ['', ...lines.slice(0, rows < ROWS_FOR_ALL_KEYS ? 1 : 3)];
}

function keysFor(state: PickerState, { description, ink }: ScreenContext): string[] {
  const { symbols } = ink;
  const item = itemsOf(state)[state.cursor];
  const others = [
    'Ctrl-R resume',
    'Ctrl-Y copy',
    ...(description?.forkAt == null ? [] : [`Ctrl-T fork at turn ${description.forkAt}`]),
  ];
  if (state.reading) return ['Enter fork', ...others, `${symbols.upDown} scroll`, 'Esc back'];
  const leave = state.filter === '' ? 'Esc cancel' : 'Esc clear the filter';
  const scope = state.scope === 'here' ? ['Tab all repositories'] : ['Tab this repository'];
  return [
    ENTER[item?.kind ?? 'result'],
    ...(item?.kind === 'result' ? others : []),
    ...(state.scope === null ? [] : scope),
    `${symbols.right} read`,
    leave,
    'PgUp/PgDn scroll',
  ];
}

const ENTER = {
  result: 'Enter fork',
  fresh: 'Enter select',
  refine: 'Enter search',
  chat: 'Enter read',
} as const;
