import { itemsOf, type Picked, type PickerState, resultInView } from './picker-state.ts';

/** A key as readline reports it. */
export interface Key {
  name?: string | undefined;
  sequence?: string | undefined;
  ctrl?: boolean | undefined;
  meta?: boolean | undefined;
}

export interface Pressed {
  state: PickerState;
  /** Set when the user has decided. */
  picked?: Picked;
  /** The user asks for more results. */
  wantsMore?: boolean;
}

const PAGE = 5;

/** The state after a key. */
export function press(state: PickerState, key: Key): Pressed {
  if (state.view === 'story') return pressInStory(state, key);
  const moved = move(state, key);
  if (moved !== null) return { state: moved };
  if (key.name === 'return' || key.name === 'enter') return take(state, state.cursor);
  if (key.name === 'tab') return { state: togglePreview(state) };
  if (state.typing) return pressInFilter(state, key);
  if (key.name === 'escape') return stepBack(state);
  return pressLetter(state, key);
}

function pressLetter(state: PickerState, key: Key): Pressed {
  const letter = key.ctrl || key.meta ? '' : (key.sequence ?? '');
  if (/^[1-9]$/.test(letter)) return take(state, Number(letter) - 1);
  switch (letter) {
    case '/':
      return { state: { ...state, typing: true, view: 'list', scroll: 0 }, wantsMore: state.more };
    case 'm':
      return { state, wantsMore: state.more };
    case 'c':
      return { state: openStory(state) };
    case 'j':
      return { state: moveTo(state, state.cursor + 1) };
    case 'k':
      return { state: moveTo(state, state.cursor - 1) };
    case 'q':
      return { state, picked: { kind: 'cancel' } };
    default:
      return { state };
  }
}

function pressInFilter(state: PickerState, key: Key): Pressed {
  const { filter } = state;
  if (key.name === 'escape') return { state: withFilter({ ...state, typing: false }, '') };
  if (key.name === 'backspace') {
    if (filter === '') return { state: { ...state, typing: false } };
    return { state: withFilter(state, withoutLast(filter)) };
  }
  if (key.ctrl && key.name === 'u') return { state: withFilter(state, '') };
  if (key.ctrl && key.name === 'w') return { state: withFilter(state, filter.replace(/\S*\s*$/, '')) };
  const typed = key.sequence ?? '';
  const printable = !key.ctrl && !key.meta && typed !== '' && !/[\x00-\x1f\x7f]/.test(typed);
  return printable ? { state: withFilter(state, filter + typed) } : { state };
}

function pressInStory(state: PickerState, key: Key): Pressed {
  const back: PickerState = { ...state, view: 'list', scroll: 0 };
  const result = resultInView(state);
  if (key.name === 'escape' || key.sequence === 'q' || key.sequence === 'c') return { state: back };
  if ((key.name === 'return' || key.name === 'enter') && result !== null)
    return { state, picked: { kind: 'session', result } };
  const step = SCROLLS[key.name ?? ''] ?? (key.sequence === 'j' ? 1 : key.sequence === 'k' ? -1 : 0);
  return { state: { ...state, scroll: Math.max(0, state.scroll + step) } };
}

const SCROLLS: Record<string, number> = {
  up: -1,
  down: 1,
  pageup: -10,
  pagedown: 10,
  space: 10,
  home: Number.NEGATIVE_INFINITY,
  end: 10_000,
};

/** The state after a key that moves the highlight or scrolls; null for other keys. */
function move(state: PickerState, key: Key): PickerState | null {
  const last = itemsOf(state).length - 1;
  const page = state.view === 'preview' ? null : PAGE;
  switch (key.name) {
    case 'up':
      return moveTo(state, state.cursor === 0 ? last : state.cursor - 1);
    case 'down':
      return moveTo(state, state.cursor === last ? 0 : state.cursor + 1);
    case 'pageup':
    case 'pagedown': {
      const sign = key.name === 'pageup' ? -1 : 1;
      return page === null
        ? { ...state, scroll: Math.max(0, state.scroll + sign * PAGE) }
        : moveTo(state, state.cursor + sign * page);
    }
    case 'home':
      return moveTo(state, 0);
    case 'end':
      return moveTo(state, last);
    case 'p':
      return key.ctrl ? moveTo(state, state.cursor - 1) : null;
    case 'n':
      return key.ctrl ? moveTo(state, state.cursor + 1) : null;
    default:
      return null;
  }
}

function moveTo(state: PickerState, wanted: number): PickerState {
  const items = itemsOf(state);
  const cursor = Math.min(items.length - 1, Math.max(0, wanted));
  const item = items[cursor];
  const about = item?.kind === 'result' ? item.result.session_id : state.about;
  return { ...state, cursor, about, scroll: cursor === state.cursor ? state.scroll : 0 };
}

function take(state: PickerState, place: number): Pressed {
  const item = itemsOf(state)[place];
  if (item === undefined) return { state };
  if (item.kind === 'chat') return { state: openStory(moveTo(state, place)) };
  const picked: Picked = item.kind === 'result' ? { kind: 'session', result: item.result } : item;
  return { state: moveTo(state, place), picked };
}

function openStory(state: PickerState): PickerState {
  return resultInView(state) === null ? state : { ...state, view: 'story', scroll: 0, typing: false };
}

function togglePreview(state: PickerState): PickerState {
  return { ...state, view: state.view === 'preview' ? 'list' : 'preview', scroll: 0 };
}

/** Closes one thing at a time: the preview, the filter, and then the picker. */
function stepBack(state: PickerState): Pressed {
  if (state.view === 'preview') return { state: togglePreview(state) };
  if (state.filter !== '') return { state: withFilter(state, '') };
  return { state, picked: { kind: 'cancel' } };
}

function withFilter(state: PickerState, filter: string): PickerState {
  return moveTo({ ...state, filter, cursor: 0 }, 0);
}

function withoutLast(text: string): string {
  const last = [...new Intl.Segmenter().segment(text)].at(-1);
  return text.slice(0, last?.index ?? 0);
}
