import type { ChildProcess } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type ProgramResult, runProgram } from './run-program.ts';
import type { World } from './world.ts';

export { PROGRAM } from './run-program.ts';
export type CliResult = ProgramResult;

export interface CliOptions {
  cwd?: string;
  env?: Record<string, string | undefined>;
  input?: string;
  /** Receives the running process. */
  onStart?: (child: ChildProcess) => void;
}

/** Runs the built command line in a world, with nothing from this machine in its environment. */
export function runCli(world: World, words: string[], options: CliOptions = {}): Promise<CliResult> {
  const { cwd = world.folder, env, ...more } = options;
  return runProgram(words, { cwd, env: cliEnvironment(world, env), ...more });
}

export function cliEnvironment(
  world: World,
  more: Record<string, string | undefined> = {},
): NodeJS.ProcessEnv {
  const temporary = join(world.folder, 'tmp');
  mkdirSync(temporary, { recursive: true });
  const { PATH, SystemRoot } = process.env;
  return {
    PATH,
    SystemRoot,
    TMPDIR: temporary,
    TEMP: temporary,
    TMP: temporary,
    // Tests share compiled code, which makes them twice as fast.
    NODE_COMPILE_CACHE: resolve('node_modules/.cache/test-compile'),
    LANG: 'C.UTF-8',
    COLUMNS: '100',
    ...world.env,
    ...more,
  };
}

/** Runs with `--json` and parses the output; fails if it is not one JSON value. */
export async function runJson(
  world: World,
  words: string[],
  options: CliOptions = {},
): Promise<Record<string, unknown>> {
  const { stdout } = await runCli(world, [...words, '--json'], options);
  return JSON.parse(stdout) as Record<string, unknown>;
}
