import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { World } from './world.ts';

/** What the package's `bin` names. */
export const PROGRAM = resolve('dist/bin.cjs');

export interface CliResult {
  status: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface CliOptions {
  cwd?: string;
  env?: Record<string, string | undefined>;
  input?: string;
  /** Looks at the running process. */
  onStart?: (child: ChildProcess) => void;
}

/** Runs the built command line on a world of its own: nothing of this machine's is in its environment. */
export function runCli(world: World, words: string[], options: CliOptions = {}): Promise<CliResult> {
  const { cwd = world.folder, input, onStart } = options;
  const child = spawn(process.execPath, [PROGRAM, ...words], {
    cwd,
    env: cliEnvironment(world, options.env),
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  child.stdin.on('error', () => undefined).end(input);
  onStart?.(child);
  return new Promise((done, fail) => {
    child.on('error', fail);
    child.on('close', (status, signal) => done({ status, signal, ...output }));
  });
}

export function cliEnvironment(
  world: World,
  more: Record<string, string | undefined> = {},
): NodeJS.ProcessEnv {
  const temporary = join(world.folder, 'tmp');
  mkdirSync(temporary, { recursive: true });
  const { PATH, SystemRoot } = process.env;
  return {
    ...{ PATH, SystemRoot, TMPDIR: temporary, TEMP: temporary, TMP: temporary },
    // Compiled code is shared between the tests: it makes them twice as fast.
    ...{ NODE_COMPILE_CACHE: resolve('node_modules/.cache/test-compile'), LANG: 'C.UTF-8', COLUMNS: '100' },
    ...world.env,
    ...more,
  };
}

/** Runs with `--json` and parses what is printed; fails when it is not one JSON value. */
export async function runJson(
  world: World,
  words: string[],
  options: CliOptions = {},
): Promise<Record<string, unknown>> {
  const { stdout } = await runCli(world, [...words, '--json'], options);
  return JSON.parse(stdout) as Record<string, unknown>;
}
