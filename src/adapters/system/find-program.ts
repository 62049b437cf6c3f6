import { execFile } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import type { FindProgram } from '../../ports/agent-programs.ts';

const TIMEOUT_MS = 5000;

/** @param searchPath PATH. @param endings PATHEXT on Windows, else one empty ending. */
export function createProgramFinder(settings: { searchPath: string; endings: string[] }): FindProgram {
  return async (name) => {
    for (const folder of settings.searchPath.split(delimiter)) {
      for (const ending of settings.endings) {
        const path = join(folder || '.', name + ending);
        if (isProgram(path)) return { path, version: await askVersion(path) };
      }
    }
    return null;
  };
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    // The usual case: it is in another folder of PATH.
    return false;
  }
}

async function askVersion(path: string): Promise<string | null> {
  // What npm installs on Windows are scripts, which only a shell runs.
  const shell = /\.(?:cmd|bat)$/i.test(path);
  try {
    const options = { timeout: TIMEOUT_MS, windowsHide: true, shell };
    const { stdout } = await promisify(execFile)(shell ? `"${path}"` : path, ['--version'], options);
    return /\d+\.\d+\.\d+/.exec(stdout)?.[0] ?? null;
  } catch {
    // A program that cannot say its version may still run.
    return null;
  }
}
