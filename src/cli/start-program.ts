import { spawn } from 'node:child_process';
import { errorText, SmartForkError } from '../domain/errors.ts';
import { commandLine } from '../domain/shell.ts';
import type { Env } from './output/terminal.ts';

export interface Start {
  words: string[];
  directory: string | null;
  env: Env;
}

/** Variables that make an agent believe it was started by itself: such a session is not saved. */
const NOT_HANDED_ON = ['CLAUDECODE', 'CLAUDE_CODE_CHILD_SESSION', 'CLAUDE_CODE_SESSION_ID', 'CLAUDE_PID'];

/**
 * Runs a program in this terminal until it ends; its exit code, or 128 and the signal's number as shells say it.
 * @throws SmartForkError USAGE when it cannot be started.
 */
export async function runHere(start: Start): Promise<number> {
  // Ctrl-C belongs to the program while it runs.
  const listeners = process.rawListeners('SIGINT');
  const ignore = () => undefined;
  process.removeAllListeners('SIGINT');
  process.on('SIGINT', ignore);
  try {
    return await run(start, 'inherit');
  } finally {
    process.off('SIGINT', ignore);
    for (const listener of listeners) process.on('SIGINT', listener as NodeJS.SignalsListener);
  }
}

/** Starts a program and leaves it alone: one that opens a window. It must be up, or end well, within a moment. */
export function startApart({ words, directory, env }: Start): Promise<void> {
  const [program = '', ...rest] = words;
  return new Promise((resolve, reject) => {
    const child = spawn(program, rest, {
      stdio: 'ignore',
      detached: true,
      env: withoutAgent(env),
      ...(directory !== null && { cwd: directory }),
    });
    const timer = setTimeout(() => {
      child.unref();
      resolve();
    }, MOMENT_MS);
    child.on('error', (error) => {
      clearTimeout(timer);
      reject(notStarted(program, error));
    });
    child.on('exit', (code) => {
      clearTimeout(timer);
      if (code === 0) resolve();
      else reject(notStarted(program, new Error(`it ended with code ${code}`)));
    });
  });
}

const MOMENT_MS = 700;

function run({ words, directory, env }: Start, stdio: 'inherit'): Promise<number> {
  const [program = '', ...rest] = words;
  const options = { stdio, env: withoutAgent(env), ...(directory !== null && { cwd: directory }) };
  return new Promise((resolve, reject) => {
    // What npm installs on Windows are scripts, which only a shell runs.
    const child =
      process.platform === 'win32'
        ? spawn(commandLine(words, null, 'cmd'), { ...options, shell: true })
        : spawn(program, rest, options);
    child.on('error', (error) => reject(notStarted(program, error)));
    child.on('close', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 143)));
  });
}

function withoutAgent(env: Env): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !NOT_HANDED_ON.includes(name)));
}

function notStarted(program: string, cause: unknown): SmartForkError {
  return new SmartForkError('USAGE', `cannot start ${program}: ${errorText(cause)}`, {
    hint: 'Check that it is installed and on PATH; --print gives the command to run yourself.',
    cause,
  });
}
