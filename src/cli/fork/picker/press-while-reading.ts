import { isEnter, type Key, typedText, withoutLast } from './key.ts';
import type { PickerState } from './picker-state.ts';

/** The lines of a session, in which words of the query may be marked. */
export type Story = readonly { text: string; ranges: readonly unknown[] }[];

const PAGE = 10;

/** The state after a key while a session is read: it scrolls, looks for a text, or leads back. */
export function pressWhileReading(state: PickerState, key: Key, story: Story): PickerState {
  const { reading } = state;
  if (reading === null) return state;
  if (reading.isTyping) return typeText(state, reading.find, key, story);
  const sequence = key.sequence ?? '';
  if (sequence === '/') return { ...state, reading: { find: '', isTyping: true } };
  if (sequence === 'n' || sequence === 'N') return jump(state, story, sequence === 'n' ? 1 : -1);
  if (key.name === 'escape' && reading.find !== '')
    return { ...state, reading: { find: '', isTyping: false } };
  if (['escape', 'left', 'q'].includes(key.name ?? '')) return { ...state, reading: null, scroll: 0 };
  const step = SCROLLS[key.name ?? ''] ?? 0;
  return { ...state, scroll: Math.max(0, state.scroll + step) };
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
  end: 1_000_000,
};

function typeText(state: PickerState, find: string, key: Key, story: Story): PickerState {
  if (key.name === 'escape') return { ...state, reading: { find: '', isTyping: false } };
  if (isEnter(key)) return jump({ ...state, reading: { find, isTyping: false } }, story, 0);
  if (key.name === 'backspace') return { ...state, reading: { find: withoutLast(find), isTyping: true } };
  const typed = typedText(key);
  return typed === null ? state : { ...state, reading: { find: find + typed, isTyping: true } };
}

/** Scrolls to a line with the text, or with words of the query: the next (1), the one before (-1), the first from here on (0). */
function jump(state: PickerState, story: Story, step: -1 | 0 | 1): PickerState {
  const places = placesOf(story, state.reading?.find ?? '');
  const { scroll } = state;
  const next =
    step < 0
      ? (places.findLast((line) => line < scroll) ?? places.at(-1))
      : (places.find((line) => line >= scroll + step) ?? places[0]);
  return next === undefined ? state : { ...state, scroll: next };
}

/** The lines that contain a text; without a text, those with words of the query. */
export function placesOf(story: Story, find: string): number[] {
  const wanted = find.toLowerCase();
  const holds = ({ text, ranges }: Story[number]) =>
    wanted === '' ? ranges.length > 0 : text.toLowerCase().includes(wanted);
  return story.flatMap((line, at) => (holds(line) ? [at] : []));
}
