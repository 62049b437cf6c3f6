import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HookTrial } from '../../ports/agent-settings.ts';

const TIMEOUT_MS = 10_000;

/** Runs a hook's command through the shell, with a temporary home. */
export async function tryHook(command: string, env: Record<string, string | undefined>): Promise<HookTrial> {
  const home = mkdtempSync(join(tmpdir(), 'smart-fork-doctor-'));
  // With this process recorded as the worker, the hook does not start one.
  writeFileSync(join(home, 'worker.json'), JSON.stringify({ pid: process.pid }));
  try {
    const ended = await run(command, { ...env, SMART_FORK_HOME: home, SMART_FORK_CHILD: undefined });
    const spool = join(home, 'spool');
    return { ...ended, leftJob: existsSync(spool) && readdirSync(spool).length > 0 };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function run(command: string, env: Record<string, string | undefined>): Promise<Omit<HookTrial, 'leftJob'>> {
  return new Promise((resolve) => {
    const started = performance.now();
    const child = spawn(command, { shell: true, env, stdio: ['pipe', 'pipe', 'pipe'], timeout: TIMEOUT_MS });
    let output = '';
    const collect = (chunk: Buffer) => {
      output = (output + chunk.toString('utf8')).slice(0, 500);
    };
    const finish = (exitCode: number | null) =>
      resolve({ exitCode, output: output.trim(), ms: performance.now() - started });
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    // A hook may close its stdin without reading it.
    child.stdin.on('error', () => undefined).end();
    child.on('error', (error) => {
      output ||= error.message;
      finish(null);
    });
    child.on('close', finish);
  });
}
