import { type FSWatcher, watch } from 'node:fs';

/** A watcher may miss changes (a network drive, no watches left); looking once a second costs next to nothing. */
const LOOK_EVERY_MS = 1000;

/**
 * Calls back when something in a folder may have changed: at once where the file system reports it, else within a second.
 * Does not keep the process alive.
 */
export function watchFolder(folder: string, listener: () => void): () => void {
  const watcher = startWatcher(folder, listener);
  const timer = setInterval(listener, LOOK_EVERY_MS).unref();
  return () => {
    clearInterval(timer);
    watcher?.close();
  };
}

function startWatcher(folder: string, listener: () => void): FSWatcher | null {
  try {
    const watcher = watch(folder, { persistent: false }, listener);
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch {
    // No watches left: the timer remains.
    return null;
  }
}
