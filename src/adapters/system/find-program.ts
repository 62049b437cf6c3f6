import { execFile } from 'node:child_process';
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import { programCall } from '../../domain/machine/shell.ts';
import type { FindAgentProgram } from '../../ports/agent-settings.ts';

export interface ProgramSearch {
  path: string | undefined;
  platform: NodeJS.Platform;
}

/** The first program with this name on the PATH, or null. */
export function findProgram(name: string, search: ProgramSearch): string | null {
  return candidates(name, search).find(isProgram) ?? null;
}

/**
 * A path to the running Node that stays valid after an update. Some installers have a folder per version and a link to it on the
 * PATH. The link is preferred, unless it belongs to a single shell.
 */
export function stableNode(execPath: string, search: ProgramSearch): string {
  const links = candidates('node', search).filter((path) => isProgram(path) && !SHORT_LIVED.test(path));
  return links.find((path) => realPath(path) === realPath(execPath)) ?? execPath;
}

/** Folders that belong to a single shell, to `npm exec`, or to a package's own scripts. */
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
    // Missing, or not executable.
    return false;
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // Compare the path itself.
    return path;
  }
}

const TIMEOUT_MS = 5000;

export function createAgentProgramFinder(search: ProgramSearch, env: NodeJS.ProcessEnv): FindAgentProgram {
  return async (name) => {
    const path = findProgram(name, search);
    return path === null ? null : { path, version: await askVersion(path, env) };
  };
}

async function askVersion(path: string, env: NodeJS.ProcessEnv): Promise<string | null> {
  const { program, words, shell } = programCall(path, ['--version']);
  try {
    // Some programs read settings from the folder in which they are started.
    const options = { timeout: TIMEOUT_MS, windowsHide: true, shell, cwd: dirname(path), env };
    const { stdout } = await promisify(execFile)(program, words, options);
    return /(?<!\d)\d+\.\d+\.\d+/.exec(stdout)?.[0] ?? null;
  } catch {
    // A program that does not report its version may still run.
    return null;
  }
}
