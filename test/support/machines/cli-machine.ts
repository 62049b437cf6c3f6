import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll } from 'vitest';
import { runProgram } from './run-program.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

export { PROGRAM } from './run-program.ts';
export const EXAMPLES = join(ROOT, 'examples');

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface CliMachine {
  folder: string;
  home: string;
  env: Record<string, string>;
  run(words: string[], options?: RunOptions): Promise<Ran>;
}

export interface RunOptions {
  env?: Record<string, string>;
  cwd?: string;
  input?: string;
}

/** Creates machines that last until all tests in the file are done. Call it before the first test. */
export function useCliMachines(): (options?: { transcripts?: boolean }) => CliMachine {
  const folders: string[] = [];
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });
  const makeFolder = () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'smart-fork-cli-')));
    folders.push(folder);
    return folder;
  };
  return (options) => createCliMachine(makeFolder(), makeFolder(), options);
}

/** A temporary machine with the sample sessions as transcripts, or without any. */
function createCliMachine(folder: string, temporary: string, { transcripts = true } = {}): CliMachine {
  const claude = join(folder, 'claude');
  if (transcripts) cpSync(join(EXAMPLES, 'claude'), claude, { recursive: true });
  else mkdirSync(claude);
  const home = join(folder, 'smart-fork');
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    USERPROFILE: folder,
    SMART_FORK_HOME: home,
    CLAUDE_CONFIG_DIR: claude,
    CODEX_HOME: join(folder, 'codex'),
    HF_HOME: join(folder, 'hub'),
    COLUMNS: '80',
    LANG: 'C.UTF-8',
    TMPDIR: temporary,
  };
  return { folder, home, env, run: (words, options = {}) => run(words, { ...env, ...options.env }, options) };
}

async function run(words: string[], env: Record<string, string>, options: RunOptions): Promise<Ran> {
  const { status, stdout, stderr } = await runProgram(words, {
    cwd: options.cwd ?? process.cwd(),
    env,
    input: options.input,
  });
  return { code: status, stdout, stderr };
}
