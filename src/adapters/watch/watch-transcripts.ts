import { setTimeout as sleep } from 'node:timers/promises';
import { watch } from 'chokidar';
import type { WatchTranscripts } from '../../ports/machine.ts';

/** Codex's transcripts are three folders deep, those of a workflow's agents five. */
const DEPTH = 8;
/** Reports changes this long after the last one … */
const IDLE_MS = 300;
/** … but at the latest this long after the first. */
const LATEST_MS = 2000;
/** chokidar reports `ready` a moment before it watches the last folder. */
const READY_DELAY_MS = 200;

/** Watches the agents' folders. A transcript that is written continuously is reported every two seconds. */
export const watchTranscripts: WatchTranscripts = async (roots, listener) => {
  const debounced = createDebounce(listener);
  const watcher = watch(roots, {
    depth: DEPTH,
    ignoreInitial: true,
    ignored: (path, stats) => stats?.isFile() === true && !path.endsWith('.jsonl'),
  });
  watcher.on('add', debounced.add);
  watcher.on('change', debounced.add);
  // No watches left, or a folder was deleted: the worker looks for changes every few minutes anyway.
  watcher.on('error', () => undefined);
  await new Promise<void>((resolve) => watcher.once('ready', () => resolve()));
  await sleep(READY_DELAY_MS);
  return async () => {
    debounced.stop();
    await watcher.close();
  };
};

function createDebounce(listener: (paths: string[]) => void) {
  const paths = new Set<string>();
  let since = 0;
  let timer: NodeJS.Timeout | undefined;
  const tell = () => {
    const changed = [...paths];
    paths.clear();
    listener(changed);
  };
  return {
    add(path: string) {
      if (paths.size === 0) since = performance.now();
      paths.add(path);
      clearTimeout(timer);
      timer = setTimeout(tell, Math.max(0, Math.min(IDLE_MS, since + LATEST_MS - performance.now())));
    },
    stop: () => clearTimeout(timer),
  };
}
