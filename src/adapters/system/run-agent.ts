import { spawn } from 'node:child_process';
import { errorText } from '../../domain/errors.ts';
import { programCall } from '../../domain/machine/shell.ts';
import type { AgentRun, RunAgent } from '../../ports/agent/run-agent.ts';

/** @param pathOf finds a program; null if there is none */
export function createRunAgent(
  pathOf: (name: string) => string | null,
  env: Record<string, string | undefined>,
): RunAgent {
  return ({ words: [name = '', ...args], directory, signal }) => {
    const path = pathOf(name);
    if (path === null)
      return Promise.resolve({ exitCode: null, output: '', errors: `${name} is not on PATH` });
    const { program, words, shell } = programCall(path, args);
    const child = spawn(program, words, {
      shell,
      windowsHide: true,
      cwd: directory,
      env: { ...env, SMART_FORK_CHILD: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
      signal: AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), ...(signal === undefined ? [] : [signal])]),
    });
    const run: AgentRun = { exitCode: null, output: '', errors: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (run.output.length < MOST) run.output += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      if (run.errors.length < MOST) run.errors += text;
    });
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined;
      child.on('error', (error) => {
        run.errors += `\n${errorText(error)}`;
        if (child.pid === undefined) return resolve(run);
        // It was told to stop, and may still write its session.
        timer ??= setTimeout(() => {
          child.kill('SIGKILL');
          // What it started may hold them open.
          child.stdout.destroy();
          child.stderr.destroy();
        }, STOPPING_MS);
      });
      child.on('close', (exitCode) => {
        clearTimeout(timer);
        resolve({ ...run, exitCode });
      });
    });
  };
}

const TIMEOUT_MS = 10 * 60_000;
const STOPPING_MS = 5000;
/** In UTF-16 units. */
const MOST = 4 * 1024 * 1024;
