import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { errorText } from '../../domain/errors.ts';

/** Next to the built chunks. */
const THREAD_FILE = fileURLToPath(new URL('../serve-worker.js', import.meta.url));
const RESTART_MS = 10_000;
/** Longer than any step of the worker takes. */
const STOPPING_MS = 8000;

/** Runs the machine's worker in a thread, and restarts it if it fails. */
export function startWorkerThread(log: (message: string) => void): { stop(): Promise<void> } {
  let thread: Worker | null = null;
  let restart: NodeJS.Timeout | undefined;
  let isStopping = false;
  const start = () => {
    if (!existsSync(THREAD_FILE)) return log(`the worker does not run: ${THREAD_FILE} is missing`);
    thread = new Worker(THREAD_FILE);
    thread.on('error', (error) => log(`the worker failed: ${errorText(error)}`));
    thread.once('exit', () => {
      thread = null;
      if (!isStopping) restart = setTimeout(start, RESTART_MS);
    });
  };
  start();
  return {
    async stop() {
      isStopping = true;
      clearTimeout(restart);
      const running = thread;
      if (running === null) return;
      const ended = new Promise<void>((resolve) => running.once('exit', () => resolve()));
      running.postMessage('stop');
      const late = setTimeout(() => void running.terminate(), STOPPING_MS);
      await ended;
      clearTimeout(late);
    },
  };
}
