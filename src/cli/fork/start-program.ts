import { spawn } from 'node:child_process';
import { pathOfProgram } from '../../compose/programs.ts';
import { environmentForAgents } from '../../config/environment.ts';
import { errorText, SmartForkError } from '../../domain/errors.ts';
import { programCall } from '../../domain/machine/shell.ts';
import type { Env } from '../terminal/terminal.ts';

export interface Start {
  words: string[];
  directory: string | null;
  env: Env;
}

/**
 * Runs a program in this terminal until it exits. Returns its exit code, or 128 plus the number of the signal that ended it.
 * @throws SmartForkError USAGE if it cannot be started
 */
export async function runHere(start: Start): Promise<number> {
  // While the program runs, it handles Ctrl-C.
  const listeners = process.rawListeners('SIGINT');
  const ignore = () => undefined;
  process.removeAllListeners('SIGINT');
  process.on('SIGINT', ignore);
  try {
    return await run(start);
  } finally {
    process.off('SIGINT', ignore);
    for (const listener of listeners) process.on('SIGINT', listener as NodeJS.SignalsListener);
  }
}

/** Runs the command that must run before the agent is started. */
export async function runFirst({ env }: { env: Env }, { first }: { first: string[] | null }): Promise<void> {
  if (first === null) return;
  const code = await runHere({ words: first, directory: null, env });
  if (code !== 0) throw new SmartForkError('USAGE', `${first.join(' ')} exited with code ${code}`);
}

function run({ words, directory, env }: Start): Promise<number> {
  const [program = '', ...rest] = words;
  const stdio = 'inherit' as const;
  const options = { stdio, env: environmentForAgents(env), cwd: directory ?? undefined };
  return new Promise((resolve, reject) => {
    const path = pathOfProgram(program, env);
    if (path === null) return reject(notStarted(program, 'not on PATH'));
    const call = programCall(path, rest);
    const child = spawn(call.program, call.words, { ...options, shell: call.shell });
    child.on('error', (error) => reject(notStarted(program, error)));
    child.on('close', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 143)));
  });
}

function notStarted(program: string, cause: unknown): SmartForkError {
  return new SmartForkError('USAGE', `cannot start ${program}: ${errorText(cause)}`, {
    hint: 'Check that it is installed and on PATH; --print prints the command to run yourself.',
    cause,
  });
}
