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
export function startWorkerThread(
  log: (message: string) => void,
  { file = THREAD_FILE, stoppingMs = STOPPING_MS }: { file?: string; stoppingMs?: number } = {},
): { stop(): Promise<void> } {
  let thread: Worker | null = null;
  let restart: NodeJS.Timeout | undefined;
  let isStopping = false;
  const start = () => {
    if (!existsSync(file)) return log(`the worker does not run: ${file} is missing`);
    thread = new Worker(file);
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
      const late = setTimeout(() => running.postMessage('exit'), stoppingMs);
      // During a call into the SQLite addon, this aborts the process.
      const lost = setTimeout(() => void running.terminate(), 2 * stoppingMs);
      await ended;
      clearTimeout(late);
      clearTimeout(lost);
    },
  };
}
