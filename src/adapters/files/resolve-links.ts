import { realpathSync } from 'node:fs';

/** A folder's path without links: agents name their project folders after it. A folder that does not exist here has none to resolve. */
export function resolveLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
