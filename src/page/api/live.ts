import { signal } from '@preact/signals';
import { signedOut } from './client.ts';
import type { IndexProgress } from './types.ts';

export type Connection = 'connecting' | 'live' | 'away';

export const connection = signal<Connection>('connecting');
export const indexing = signal<IndexProgress | null>(null);
/** The session that changed last; a new object for each change. */
export const changedSession = signal<{ id: string } | null>(null);

/** Follows the server's events. The browser reconnects when the server comes back. */
export function followEvents(): void {
  const source = new EventSource('/api/v1/events');
  source.addEventListener('hello', () => {
    connection.value = 'live';
  });
  source.addEventListener('session', (event) => {
    const { session_id: id } = JSON.parse(event.data) as { session_id: string };
    changedSession.value = { id };
  });
  source.addEventListener('index', (event) => {
    indexing.value = JSON.parse(event.data) as IndexProgress;
  });
  source.addEventListener('error', () => {
    connection.value = 'away';
    if (signedOut.value) {
      source.close();
      const stop = signedOut.subscribe((isOut) => {
        if (isOut) return;
        stop();
        followEvents();
      });
    } else if (source.readyState === EventSource.CLOSED) setTimeout(followEvents, 3000);
  });
}
