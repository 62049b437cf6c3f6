import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Data that is too large to be kept with the code lies in a folder `shared` beside the repository, where there is one. */
export function findShared(...names: string[]): string | null {
  const folders = ['..', join('..', '..')].map((folder) => resolve(folder, 'shared', ...names));
  return folders.find((folder) => existsSync(folder)) ?? null;
}
