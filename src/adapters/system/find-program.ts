import { execFile } from 'node:child_process';
import { accessSync, constants, mkdtempSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import { AGENT_ROWS } from '../../domain/agent/agents.ts';
import { isRecord } from '../../domain/is-record.ts';
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

/** A version is read from the program's npm package; a program without one is asked, with a throw-away home to write to. */
export function createAgentProgramFinder(search: ProgramSearch, env: NodeJS.ProcessEnv): FindAgentProgram {
  return async (name) => {
    const path = findProgram(name, search);
    if (path === null) return null;
    return { path, version: packagedVersion(name, path) ?? (await askVersion(name, path, env)) };
  };
}

/** The version of the npm package that a program belongs to; null if it is no package's program of this name. */
function packagedVersion(name: string, path: string): string | null {
  for (let folder = dirname(realPath(path)); ; folder = dirname(folder)) {
    const { version, bin } = readPackage(join(folder, 'package.json'));
    if (typeof version === 'string')
      return isRecord(bin) && Object.hasOwn(bin, name) ? versionIn(version) : null;
    if (folder === dirname(folder)) return null;
  }
}

function readPackage(path: string): Record<string, unknown> {
  try {
    const read: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return isRecord(read) ? read : {};
  } catch {
    // Most folders have none.
    return {};
  }
}

async function askVersion(name: string, path: string, env: NodeJS.ProcessEnv): Promise<string | null> {
  const { program, words, shell } = programCall(path, ['--version']);
  const home = mkdtempSync(join(tmpdir(), 'smart-fork-version-'));
  try {
    // Some programs read settings from the folder in which they are started.
    const options = { timeout: TIMEOUT_MS, windowsHide: true, shell, cwd: dirname(path) };
    const { stdout } = await promisify(execFile)(program, words, {
      ...options,
      env: { ...env, ...homesIn(name, home) },
    });
    return versionIn(stdout);
  } catch {
    // A program that does not report its version may still run.
    return null;
  } finally {
    rmSync(home, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** An agent's variables for its home. `HOME` stays, in which version managers find the program that they start. */
function homesIn(name: string, home: string): NodeJS.ProcessEnv {
  const row = Object.values(AGENT_ROWS).find(({ program }) => program?.command === name);
  const variable = row?.home.variable ?? null;
  if (variable === null) return {};
  const names = variable.startsWith('XDG_') ? XDG : [variable];
  return Object.fromEntries(names.map((one) => [one, home]));
}

const XDG = ['XDG_DATA_HOME', 'XDG_CONFIG_HOME', 'XDG_STATE_HOME', 'XDG_CACHE_HOME'];

function versionIn(text: string): string | null {
  return /(?<!\d)\d+\.\d+\.\d+/.exec(text)?.[0] ?? null;
}
