import { signal } from '@preact/signals';

/** The dialog open over the page. */
export const overlay = signal<'help' | 'palette' | null>(null);
