import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';
import { runWorkerProcess, workerOpening } from '../../compose/worker.ts';
import { loadConfig } from '../../config/config.ts';

/** A worker that a hook started ends when it is idle. */
const AGAIN_MS = 5000;

// The machine's worker, in a thread of the server: indexing must not hold up answers. Ends with the first message.
const controller = new AbortController();
const { signal } = controller;
parentPort?.once('message', () => controller.abort());
while (!signal.aborted) {
  const config = await loadConfig();
  const open = workerOpening(config);
  await runWorkerProcess({
    ...{ home: config.home, host: hostname(), until: 'follow', watch: true, open, signal },
    // Elsewhere, a thread's priority is that of the process.
    lowPriority: process.platform === 'linux',
  });
  await sleep(AGAIN_MS, undefined, { signal }).catch(() => undefined);
}
