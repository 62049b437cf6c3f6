import type { MessagePort } from 'node:worker_threads';

/** Aborted by the first message to a thread. The second ends the thread, between two steps. */
export function stopSignal(port: MessagePort | null): AbortSignal {
  const controller = new AbortController();
  port?.once('message', () => {
    controller.abort();
    port.once('message', () => process.exit());
    port.unref();
  });
  return controller.signal;
}
