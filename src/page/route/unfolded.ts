import { computed, useComputed } from '@preact/signals';
import { change, parameters } from './route.ts';

/** What is unfolded is in the address too, each by a key that is unique on its view. A dot and an underscore need no escape there. */
const SEPARATOR = '_';
/** An address has a length that browsers and chats take. */
const MOST = 150;

const unfolded = computed(
  () => new Set((parameters.value.get('show') ?? '').split(SEPARATOR).filter(Boolean)),
);

/** Whether something is unfolded, and what folds and unfolds it. */
export function useUnfolded(key: string): [isOpen: boolean, toggle: () => void] {
  const isOpen = useComputed(() => unfolded.value.has(key)).value;
  return [isOpen, () => unfold([key], !isOpen)];
}

export function unfold(keys: string[], isOpen: boolean): void {
  const others = [...unfolded.value].filter((key) => !keys.includes(key));
  change({ show: [...others, ...(isOpen ? keys : [])].slice(-MOST).join(SEPARATOR) });
}
