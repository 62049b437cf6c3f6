import { setTimeout as sleep } from 'node:timers/promises';
import { isProcessAlive } from './is-process-alive.ts';
import { runningWorker } from './start-worker.ts';

const TIMEOUT_MS = 10_000;

/** Asks the worker to end, and waits until it has. */
export async function stopWorker(home: string): Promise<void> {
  const pid = runningWorker(home);
  if (pid === null || pid === process.pid) return;
  process.kill(pid, 'SIGTERM');
  const until = Date.now() + TIMEOUT_MS;
  while (isProcessAlive(pid) && Date.now() < until) await sleep(50);
}
