import { hostname } from 'node:os';
import { errorLog } from '../../../src/compose/parts.ts';
import { runWorkerProcess, workerOpening } from '../../../src/compose/worker.ts';
import { loadConfig } from '../../../src/config/config.ts';

// A worker as a program: `worker [drain|idle|follow]`, optionally followed by `watch`. TEST_IDLE_MS shortens its life.
const stop = new AbortController();
process.on('SIGTERM', () => stop.abort());
const config = await loadConfig();
const [, , , mode = 'idle', watch] = process.argv;
const report = await runWorkerProcess({
  home: config.home,
  host: hostname(),
  until: mode === 'drain' || mode === 'follow' ? mode : 'idle',
  watch: watch === 'watch',
  idleMs: Number(process.env.TEST_IDLE_MS ?? 30_000),
  signal: stop.signal,
  errors: errorLog(config),
  open: workerOpening(config),
});
process.stdout.write(`${JSON.stringify(report)}\n`);
