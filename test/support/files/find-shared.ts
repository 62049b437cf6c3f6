import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Data too large for the repository is in a folder `shared` next to it, if that exists. */
export function findShared(...names: string[]): string | null {
  const folders = ['..', join('..', '..')].map((folder) => resolve(folder, 'shared', ...names));
  return folders.find((folder) => existsSync(folder)) ?? null;
}
