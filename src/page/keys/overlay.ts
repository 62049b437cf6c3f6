import { signal } from '@preact/signals';

/** What lies over the page. */
export const overlay = signal<'help' | 'palette' | null>(null);
