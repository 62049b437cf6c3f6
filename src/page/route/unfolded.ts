import { computed, useComputed } from '@preact/signals';
import { change, parameters } from './route.ts';

/** The URL also contains what is unfolded, by keys that are unique per view. A dot and an underscore need no escaping there. */
const SEPARATOR = '_';
/** Keeps the URL short enough for browsers and chats. */
const MAX_KEYS = 150;

const unfolded = computed(
  () => new Set((parameters.value.get('show') ?? '').split(SEPARATOR).filter(Boolean)),
);

/** Whether something is unfolded, and a function that toggles it. */
export function useUnfolded(key: string): [isOpen: boolean, toggle: () => void] {
  const isOpen = useComputed(() => unfolded.value.has(key)).value;
  return [isOpen, () => unfold([key], !isOpen)];
}

export function unfold(keys: string[], isOpen: boolean): void {
  const others = [...unfolded.value].filter((key) => !keys.includes(key));
  change({ show: [...others, ...(isOpen ? keys : [])].slice(-MAX_KEYS).join(SEPARATOR) });
}
