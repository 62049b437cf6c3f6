import { isEnter, type Key, typedText, withoutLast } from './key.ts';
import { itemsOf, type Picked, type PickerState, resultInView, type Way } from './picker-state.ts';
import { pressWhileReading, type Story } from './press-while-reading.ts';

interface Pressed {
  state: PickerState;
  /** Set when the user has decided. */
  picked?: Picked;
  /** To search for the text, when the user pauses or now; or in the other scope. */
  wants?: 'find' | 'find now' | 'scope';
}

const PAGE = 10;

/** @param story the lines of the session that is read */
export function press(state: PickerState, key: Key, story: Story = []): Pressed {
  if (state.reading !== null) {
    const way = isEnter(key) && !state.reading.isTyping ? 'fork' : wayOf(key);
    return way === null ? { state: pressWhileReading(state, key, story) } : take(state, way);
  }
  const way = wayOf(key);
  if (way !== null) return take(state, way);
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

const WAYS: Record<string, Way> = { t: 'fork-at-turn', r: 'resume', y: 'copy' };

/** Ctrl with a letter, which continues the session in view. */
function wayOf({ ctrl, name }: Key): Way | null {
  return ctrl === true ? (WAYS[name ?? ''] ?? null) : null;
}

/** A session that is neither highlighted nor being read must not be started. */
function take(state: PickerState, way: Way): Pressed {
  const isShown = state.reading !== null || itemsOf(state)[state.cursor]?.kind === 'session';
  const result = isShown && state.settled ? resultInView(state) : null;
  return result === null ? { state } : { state, picked: { kind: 'session', result, way } };
}

/** Takes the highlighted item. What was found for a former text is never taken: it may change under the user's hand. */
function takeItem(state: PickerState): Pressed {
  if (!state.settled) return { state, wants: 'find now' };
  const item = itemsOf(state)[state.cursor];
  switch (item?.kind) {
    case 'session':
      return { state, picked: { kind: 'session', result: item.result, way: 'fork' } };
    case 'fresh':
    case 'leave':
      return { state, picked: { kind: 'fresh' } };
    case 'refine':
      return openList(state, '');
    case 'more':
      return openList(state, state.text);
    case 'chat':
      return { state: read(state) };
    default:
      return { state };
  }
}

/** The list, to search in from this text on. */
function openList(state: PickerState, text: string): Pressed {
  const { results, more, scope } = state;
  const choices = { text: state.text, results, more, scope };
  const list = moveTo({ ...state, page: 'list', choices, text, settled: false }, 0);
  return { state: list, wants: 'find now' };
}

function read(state: PickerState): PickerState {
  const reading = { find: '', isTyping: false };
  return resultInView(state) === null || !state.settled ? state : { ...state, reading, scroll: 0 };
}

/** Leaves one thing at a time: the list, the text, the picker. */
function stepBack(state: PickerState): Pressed {
  if (state.choices !== null) {
    const before = { ...state, ...state.choices, page: 'choices' as const, choices: null, settled: true };
    return { state: moveTo(before, 0) };
  }
  if (state.page === 'list' && state.text !== '') return withText(state, '');
  return { state, picked: { kind: 'cancel' } };
}

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
  const about = item?.kind === 'session' ? item.result.session_id : state.about;
  return { ...state, cursor, about, scroll: 0 };
}

/** Among the choices, digits choose and other keys begin another search; on the list, every key searches. */
function type(state: PickerState, key: Key): Pressed {
  const { text, page } = state;
  const typed = typedText(key);
  if (page === 'choices') {
    if (typed === null) return { state };
    return /^\d$/.test(typed) ? chooseDigit(state, Number(typed)) : openList(state, typed);
  }
  if (key.name === 'backspace') return withText(state, withoutLast(text));
  if (key.ctrl && key.name === 'u') return withText(state, '');
  if (key.ctrl && key.name === 'w') return withText(state, text.trimEnd().replace(/(?<!\S)\S+$/, ''));
  return typed === null ? { state } : withText(state, text + typed);
}

function chooseDigit(state: PickerState, digit: number): Pressed {
  const place = itemsOf(state).findIndex((item) => 'digit' in item && item.digit === digit);
  return place < 0 ? { state } : takeItem(moveTo(state, place));
}

function withText(state: PickerState, text: string): Pressed {
  if (text === state.text) return { state };
  return { state: { ...moveTo(state, 0), text, settled: false }, wants: 'find' };
}
