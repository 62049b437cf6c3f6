import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { AGENT_ROWS } from '../../domain/agent/agents.ts';
import { agentMissing } from '../../domain/agent/missing-program.ts';
import { errorText, SmartForkError } from '../../domain/errors.ts';
import { programCall } from '../../domain/machine/shell.ts';
import { isLocked, WHILE_LOCKED } from './find-sessions.ts';

export interface OpencodeProgram {
  /** Null if OpenCode is not installed. */
  program: string | null;
  env: Record<string, string | undefined>;
}

const TIMEOUT_MS = 60_000;

/**
 * Runs OpenCode and returns what it printed.
 * @throws SmartForkError AGENT_MISSING; USAGE if it cannot be started, is stopped by the time limit, or fails
 */
export async function runOpencode(
  { program: path, env }: OpencodeProgram,
  words: string[],
  cwd?: string,
): Promise<string> {
  if (path === null) throw missing();
  const { program, words: all, shell } = programCall(path, words);
  const child = spawn(program, all, {
    env,
    cwd,
    shell,
    windowsHide: true,
    timeout: TIMEOUT_MS,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stoppedBy: string | null = null;
  child.once('exit', (_, signal) => {
    stoppedBy = signal;
    if (signal === null) return;
    // A program that it started may hold its output open.
    child.stdout.destroy();
    child.stderr.destroy();
  });
  try {
    const [stdout, stderr, [status]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close'),
    ]);
    const said = `${stdout}${stderr}`;
    if (status !== 0) throw unusable(`${words[0]} said: ${said.trim().slice(0, 200)}`);
    return said;
  } catch (error) {
    if (stoppedBy !== null)
      throw unusable(`${words[0]} was stopped by ${stoppedBy}; it may take ${TIMEOUT_MS / 1000} seconds`);
    throw error instanceof SmartForkError ? error : unusable(errorText(error));
  }
}

/** Starts OpenCode's server on loopback, which needs no login, for the time of `work`. */
export async function withServer<T>(
  { program: path, env }: OpencodeProgram,
  cwd: string,
  work: (post: (path: string, body: object) => Promise<unknown>) => Promise<T>,
): Promise<T> {
  if (path === null) throw missing();
  const { program, words, shell } = programCall(path, ['serve', '--hostname', '127.0.0.1', '--port', '0']);
  const child = spawn(program, words, {
    env,
    cwd,
    shell,
    windowsHide: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), TIMEOUT_MS);
  try {
    const url = await addressOf(child.stdout, new Promise((_, reject) => child.once('error', reject)));
    return await work(async (path, body) => {
      const response = await fetch(`${url}${path}?directory=${encodeURIComponent(cwd)}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      if (!response.ok) throw unusable(`its server answered ${response.status}`);
      return response.json();
    });
  } catch (error) {
    throw error instanceof SmartForkError ? error : unusable(errorText(error));
  } finally {
    clearTimeout(timer);
    if (child.exitCode === null && child.signalCode === null && child.kill()) await once(child, 'close');
  }
}

async function addressOf(output: NodeJS.ReadableStream, failed: Promise<never>): Promise<string> {
  const reading = async () => {
    for await (const line of createInterface({ input: output })) {
      const url = /http:\/\/127\.0\.0\.1:\d{1,5}/.exec(line)?.[0];
      if (url !== undefined) return url;
    }
    throw unusable('its server did not start');
  };
  return Promise.race([reading(), failed]);
}

function missing(): SmartForkError {
  const { program } = AGENT_ROWS.opencode;
  return program === null ? unusable('opencode is not on PATH') : agentMissing(program);
}

export function unusable(reason: string): SmartForkError {
  return new SmartForkError('USAGE', `opencode cannot make this session: ${reason}`, {
    hint: isLocked(reason) ? WHILE_LOCKED : 'Install or update OpenCode: npm install -g opencode-ai@latest',
  });
}
