import { setTimeout as sleep } from 'node:timers/promises';
import { watch } from 'chokidar';
import type { WatchTranscripts } from '../../ports/machine.ts';

/** Codex keeps its transcripts three folders deep. */
const DEPTH = 4;
/** After the last change, and at the latest after the first. */
const QUIET_MS = 300;
const LATEST_MS = 2000;
/** `ready` comes a moment before the last folder is being watched; the worker looks for itself after this. */
const SETTLE_MS = 200;

/** Watches the agents' folders; a transcript that is being written all the time is told of every two seconds. */
export function createTranscriptWatch(
  settings = { quietMs: QUIET_MS, latestMs: LATEST_MS },
): WatchTranscripts {
  return async (roots, listener) => {
    const debounced = createDebounce(listener, settings);
    const watcher = watch(roots, {
      depth: DEPTH,
      ignoreInitial: true,
      ignored: (path, stats) => stats?.isFile() === true && !path.endsWith('.jsonl'),
    });
    watcher.on('add', debounced.add);
    watcher.on('change', debounced.add);
    // No watches left, a folder that vanished: the worker's own look every few minutes finds what is missed.
    watcher.on('error', () => undefined);
    await new Promise<void>((resolve) => watcher.once('ready', () => resolve()));
    await sleep(SETTLE_MS);
    return async () => {
      debounced.stop();
      await watcher.close();
    };
  };
}

function createDebounce(
  listener: (paths: string[]) => void,
  { quietMs, latestMs }: { quietMs: number; latestMs: number },
) {
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
      timer = setTimeout(tell, Math.max(0, Math.min(quietMs, since + latestMs - performance.now())));
    },
    stop: () => clearTimeout(timer),
  };
}
