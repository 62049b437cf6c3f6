import { itemsOf, type Picked, type PickerState, resultInView, type Way } from './picker-state.ts';

/** A key as reported by readline. */
export interface Key {
  name?: string;
  sequence?: string;
  ctrl?: boolean;
  meta?: boolean;
}

interface Pressed {
  state: PickerState;
  /** Set when the user has decided. */
  picked?: Picked;
  /** What to search for: more results, or the other scope's. */
  wants?: 'more' | 'scope';
}

const PAGE = 10;

export function press(state: PickerState, key: Key): Pressed {
  const way = wayOf(key);
  if (way !== null) return take(state, way);
  if (state.reading) return pressWhileReading(state, key);
  const moved = move(state, key);
  if (moved !== null) return { state: moved };
  if (isEnter(key)) return takeItem(state);
  switch (key.name) {
    case 'tab':
      return state.scope === null ? { state } : { state, wants: 'scope' };
    case 'right':
      return { state: read(state) };
    case 'escape':
      return stepBack(state);
    default:
      return type(state, key);
  }
}

function isEnter({ name }: Key): boolean {
  return name === 'return' || name === 'enter';
}

const WAYS: Record<string, Way> = { t: 'fork-at-turn', r: 'resume', y: 'copy' };

/** Ctrl with a letter, which continues the session in view. */
function wayOf({ ctrl, name }: Key): Way | null {
  return ctrl === true ? (WAYS[name ?? ''] ?? null) : null;
}

/** A session that is neither highlighted nor being read must not be started. */
function take(state: PickerState, way: Way): Pressed {
  const isShown = state.reading || itemsOf(state)[state.cursor]?.kind === 'result';
  const result = isShown ? resultInView(state) : null;
  return result === null ? { state } : { state, picked: { kind: 'session', result, way } };
}

function takeItem(state: PickerState): Pressed {
  const item = itemsOf(state)[state.cursor];
  if (item === undefined) return { state };
  if (item.kind === 'chat') return { state: read(state) };
  return { state, picked: item.kind === 'result' ? { ...item, kind: 'session', way: 'fork' } : item };
}

function read(state: PickerState): PickerState {
  return resultInView(state) === null ? state : { ...state, reading: true, scroll: 0 };
}

/** Closes one thing at a time: the filter, then the picker. */
function stepBack(state: PickerState): Pressed {
  if (state.filter !== '') return { state: withFilter(state, '') };
  return { state, picked: { kind: 'cancel' } };
}

function pressWhileReading(state: PickerState, key: Key): Pressed {
  if (isEnter(key)) return take(state, 'fork');
  if (['escape', 'left', 'q'].includes(key.name ?? ''))
    return { state: { ...state, reading: false, scroll: 0 } };
  const step = SCROLLS[key.name ?? ''] ?? 0;
  return { state: { ...state, scroll: Math.max(0, state.scroll + step) } };
}

const SCROLLS: Record<string, number> = {
  up: -1,
  down: 1,
  k: -1,
  j: 1,
  pageup: -PAGE,
  pagedown: PAGE,
  space: PAGE,
  home: Number.NEGATIVE_INFINITY,
  end: 10_000,
};

/** The state after a key that moves the highlight or scrolls the preview; null for any other key. */
function move(state: PickerState, key: Key): PickerState | null {
  const last = itemsOf(state).length - 1;
  switch (key.ctrl === true ? `ctrl-${key.name}` : key.name) {
    case 'up':
    case 'ctrl-p':
      return moveTo(state, state.cursor === 0 ? last : state.cursor - 1);
    case 'down':
    case 'ctrl-n':
      return moveTo(state, state.cursor === last ? 0 : state.cursor + 1);
    case 'pageup':
      return { ...state, scroll: Math.max(0, state.scroll - PAGE) };
    case 'pagedown':
      return { ...state, scroll: state.scroll + PAGE };
    case 'home':
      return moveTo(state, 0);
    case 'end':
      return moveTo(state, last);
    default:
      return null;
  }
}

function moveTo(state: PickerState, cursor: number): PickerState {
  const item = itemsOf(state)[cursor];
  const about = item?.kind === 'result' ? item.result.session_id : state.about;
  return { ...state, cursor, about, scroll: about === state.about ? state.scroll : 0 };
}

function type(state: PickerState, key: Key): Pressed {
  const { filter } = state;
  if (key.name === 'backspace') return { state: withFilter(state, withoutLast(filter)) };
  if (key.ctrl && key.name === 'u') return { state: withFilter(state, '') };
  if (key.ctrl && key.name === 'w')
    return { state: withFilter(state, filter.trimEnd().replace(/(?<!\S)\S+$/, '')) };
  const typed = key.sequence ?? '';
  if (key.ctrl || key.meta || typed === '' || /[\x00-\x1f\x7f]/.test(typed)) return { state };
  const place = filter === '' && /^[1-9]$/.test(typed) ? Number(typed) - 1 : -1;
  if (itemsOf(state)[place]?.kind === 'result') return { state: moveTo(state, place) };
  const next = { state: withFilter(state, filter + typed) };
  return state.more ? { ...next, wants: 'more' } : next;
}

function withFilter(state: PickerState, filter: string): PickerState {
  return filter === state.filter ? state : moveTo({ ...state, filter, cursor: 0, scroll: 0 }, 0);
}

function withoutLast(text: string): string {
  const last = [...new Intl.Segmenter().segment(text)].at(-1);
  return text.slice(0, last?.index ?? 0);
}
