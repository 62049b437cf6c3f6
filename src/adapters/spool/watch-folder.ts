import { type FSWatcher, watch } from 'node:fs';

/** A watcher may miss changes (a network drive, no watches left). Polling once a second costs almost nothing. */
const POLL_MS = 1000;

/**
 * Calls the listener when a folder may have changed: at once if the file system reports it, else within a second.
 * Does not keep the process alive.
 */
export function watchFolder(folder: string, listener: () => void): () => void {
  const watcher = startWatcher(folder, listener);
  const timer = setInterval(listener, POLL_MS).unref();
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
