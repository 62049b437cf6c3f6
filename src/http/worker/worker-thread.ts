import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';
import { errorLog } from '../../compose/parts.ts';
import { runWorkerProcess, workerOpening } from '../../compose/worker.ts';
import { loadConfig } from '../../config/config.ts';
import { stopSignal } from './stop-signal.ts';

/** Retry interval while another worker runs: one started by a hook ends when it is idle. */
const AGAIN_MS = 5000;

// The machine's worker, in a thread of the server so that indexing does not delay answers.
const signal = stopSignal(parentPort);
while (!signal.aborted) {
  const config = await loadConfig();
  const open = workerOpening(config);
  await runWorkerProcess({
    home: config.home,
    errors: errorLog(config),
    host: hostname(),
    until: 'follow',
    watch: true,
    open,
    signal,
    // On other systems, a thread cannot have its own priority.
    lowPriority: process.platform === 'linux',
  });
  await sleep(AGAIN_MS, undefined, { signal }).catch(() => undefined);
}
