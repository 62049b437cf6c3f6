import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isProcessAlive } from './is-process-alive.ts';

/** A worker rewrites its record four times as often; an older record may name another program's process. */
const RECORD_MS = 90_000;
const PATIENCE_MS = 10_000;

/** Asks the worker to end, and waits until it has. */
export async function stopWorker(home: string): Promise<void> {
  const pid = workerOf(join(home, 'worker.json'));
  if (pid === null || pid === process.pid || !isProcessAlive(pid)) return;
  process.kill(pid, 'SIGTERM');
  const until = Date.now() + PATIENCE_MS;
  while (isProcessAlive(pid) && Date.now() < until) await sleep(50);
}

function workerOf(record: string): number | null {
  try {
    if (Date.now() - statSync(record).mtimeMs > RECORD_MS) return null;
    const pid = /"pid":(\d+)/.exec(readFileSync(record, 'utf8'))?.[1];
    return pid === undefined ? null : Number(pid);
  } catch {
    // No record: no worker.
    return null;
  }
}
