import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { FindAgentProgram } from '../../ports/agent-settings.ts';
import { findProgram, type ProgramSearch } from './find-program.ts';

const TIMEOUT_MS = 5000;

export function createAgentProgramFinder(search: ProgramSearch): FindAgentProgram {
  return async (name) => {
    const path = findProgram(name, search);
    return path === null ? null : { path, version: await askVersion(path) };
  };
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
