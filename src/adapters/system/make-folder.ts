import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { hasCode } from './has-code.ts';

/**
 * Creates a folder that only its owner can read, with its parents. Node's own `recursive` may never return if a folder cannot be
 * created in an existing one (in /proc, with Node 20), and a hook must return. The hook calls this: import only Node's own modules
 * here.
 */
export function makeFolder(path: string): void {
  if (tryMake(path)) return;
  makeFolder(dirname(path));
  if (!tryMake(path)) throw new Error(`cannot create the folder ${path}`);
}

/** False if the parent is missing. */
function tryMake(path: string): boolean {
  try {
    mkdirSync(path, { mode: 0o700 });
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return true;
    if (hasCode(error, 'ENOENT') && dirname(path) !== path) return false;
    throw error;
  }
}
