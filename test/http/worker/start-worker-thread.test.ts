import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, expect, it, vi } from 'vitest';
import { startWorkerThread } from '../../../src/http/worker/start-worker-thread.ts';

const folder = mkdtempSync(join(tmpdir(), 'worker-thread-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Writes what happens to it into a file. A thread that is terminated writes no `exit`. */
const THREAD = (path: string, stopped: string) => `
  import { appendFileSync } from 'node:fs';
  import { parentPort } from 'node:worker_threads';
  import { stopSignal } from './src/http/worker/stop-signal.ts';
  const tell = (what) => appendFileSync(${JSON.stringify(path)}, what + ' ');
  const signal = stopSignal(parentPort);
  process.on('exit', () => tell('exit'));
  signal.addEventListener('abort', () => { tell('stop'); ${stopped} });
  const busy = setInterval(() => undefined, 1000);
  tell('up');
`;

it.each([
  ['ends by itself at the first message', 'clearInterval(busy)', 60_000, 'up stop exit '],
  ['exits by itself at the second, if a step takes too long', '', 300, 'up stop exit '],
  ['is terminated only if it answers no message', 'for (;;);', 300, 'up stop '],
])('%s', async (_, stopped, stoppingMs, told) => {
  const name = stopped.replace(/\W/g, '');
  const log = join(folder, `${name}.log`);
  const file = join(folder, `${name}.mjs`);
  await build({
    stdin: { contents: THREAD(log, stopped), resolveDir: process.cwd(), loader: 'ts' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    outfile: file,
  });
  const errors: string[] = [];
  const thread = startWorkerThread((message) => errors.push(message), { file, stoppingMs });
  const read = () => {
    try {
      return readFileSync(log, 'utf8');
    } catch {
      return '';
    }
  };
  await vi.waitFor(() => expect(read()).toBe('up '), 30_000);
  await thread.stop();
  expect(read()).toBe(told);
  expect(errors).toEqual([]);
});
