import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

export interface ProgramSearch {
  path: string | undefined;
  platform: NodeJS.Platform;
}

/** The first program of this name on the PATH, or null. */
export function findProgram(name: string, search: ProgramSearch): string | null {
  return candidates(name, search).find(isProgram) ?? null;
}

/**
 * A path of the running Node that stays when Node is updated. Some installers put each version into a folder of its own
 * and a link to it on the PATH: the link is better, unless it belongs to one shell only.
 */
export function stableNode(execPath: string, search: ProgramSearch): string {
  const links = candidates('node', search).filter((path) => isProgram(path) && !SHORT_LIVED.test(path));
  return links.find((path) => realPath(path) === realPath(execPath)) ?? execPath;
}

/** Folders of a single shell, of `npm exec`, of a package's own scripts. */
const SHORT_LIVED = /fnm_multishells|[/\\]_npx[/\\]|[/\\]node_modules[/\\]|[/\\]te?mp[/\\]/i;

function candidates(name: string, { path, platform }: ProgramSearch): string[] {
  const names = platform === 'win32' ? [`${name}.exe`, `${name}.cmd`, `${name}.bat`] : [name];
  const folders = (path ?? '').split(delimiter).filter(isAbsolute);
  return folders.flatMap((folder) => names.map((file) => join(folder, file)));
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    // Not there, or not to be run: the next one.
    return false;
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // Compared as it is.
    return path;
  }
}
