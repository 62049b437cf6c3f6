import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder that only its owner may look into, and those above it. Node's own `recursive` never comes back where a
 * folder cannot be made below one that is there (in /proc, with Node 20), and a hook must. The hook calls this: nothing
 * but Node's own modules may be imported.
 */
export function makeFolder(path: string): void {
  if (tryMake(path)) return;
  makeFolder(dirname(path));
  if (!tryMake(path)) throw new Error(`cannot make the folder ${path}`);
}

/** False when the folder above is missing. */
function tryMake(path: string): boolean {
  try {
    mkdirSync(path, { mode: 0o700 });
    return true;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EEXIST') return true;
    if (code === 'ENOENT' && dirname(path) !== path) return false;
    throw error;
  }
}
