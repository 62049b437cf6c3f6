import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';

/** No build takes longer. */
const STALE_MS = 60 * 60 * 1000;
/** Other builds may replace the folder at the same time. */
const MOST_TRIES = 20;

/**
 * The name of a folder next to `folder` for this process alone. Folders left by killed processes are deleted an hour
 * later; a folder that such a process had moved away is moved back at once.
 */
export function newFolderFor(folder) {
  const left = readdirSync('.').filter((name) => name.startsWith(`${folder}.new`));
  const moved = left.find((name) => name.endsWith('.old'));
  if (moved !== undefined && !existsSync(folder)) movesTo(moved, folder, false);
  for (const name of left)
    if (Date.now() - timeOf(name) > STALE_MS) rmSync(name, { recursive: true, force: true });
  const path = `${folder}.new-${process.pid}`;
  const remove = () => rmSync(path, { recursive: true, force: true });
  remove();
  // A build that fails leaves nothing.
  process.on('exit', remove);
  return path;
}

/** Replaces a folder, which need not exist. It is missing for a moment: no system can replace a folder that contains files. */
export function replaceFolder(folder, by) {
  const old = `${by}.old`;
  for (let tries = 1; !movesTo(by, folder, tries === MOST_TRIES); tries += 1) {
    rmSync(old, { recursive: true, force: true });
    movesTo(folder, old, false);
  }
  rmSync(old, { recursive: true, force: true });
}

function movesTo(from, to, isLast) {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (!isLast) return false;
    if (!existsSync(to) && existsSync(`${from}.old`)) renameSync(`${from}.old`, to);
    throw error;
  }
}

function timeOf(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
}
