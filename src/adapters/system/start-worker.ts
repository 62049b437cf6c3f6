import { closeSync, openSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isProcessAlive } from './is-process-alive.ts';
import { readRegularText } from './regular-file.ts';

/** A worker rewrites its record four times as often. The process id in an older record may belong to another program. */
const RECORD_MS = 90_000;
/** A started worker writes its record within this time, even on a busy machine. */
const STARTING_MS = 15_000;

/**
 * Starts a worker unless one is running or starting. This only checks files, so two may start anyway; then the lease decides. The
 * worker is detached, because an agent kills the process group of its hooks.
 */
export function startWorker(home: string, command: string[], env: Record<string, string | undefined>): void {
  const [program, ...args] = command;
  if (program === undefined || runningWorker(home) !== null || !claimStart(join(home, 'worker.starting')))
    return;
  const { spawn } = process.getBuiltinModule('node:child_process');
  const child = spawn(program, args, {
    cwd: home,
    detached: true,
    stdio: 'ignore',
    windowsHide: true,
    env: workerEnvironment(env, home),
  });
  // Without a listener, Node prints the error.
  child.on('error', () => undefined);
  child.unref();
}

/**
 * Removes the variables by which an agent marks its child processes. With CLAUDE_CODE_CHILD_SESSION, for instance, Claude saves no
 * session. CLAUDE_CONFIG_DIR and CODEX_HOME stay: they locate the transcripts. SMART_FORK_CHILD is our own mark.
 */
export function workerEnvironment(env: Record<string, string | undefined>, home: string): NodeJS.ProcessEnv {
  const inherited = Object.entries(env).filter(([name]) => !AGENT_VARIABLE.test(name));
  return { ...Object.fromEntries(inherited), SMART_FORK_HOME: home, SMART_FORK_CHILD: '1' };
}

const AGENT_VARIABLE =
  /^(?:CLAUDECODE|CLAUDE_CODE_.*|CLAUDE_PID|CLAUDE_PROJECT_DIR|CLAUDE_ENV_FILE|CLAUDE_PLUGIN_.*|CODEX_(?!HOME$).*|PLUGIN_ROOT|PLUGIN_DATA)$/;

/** The process id of the running worker; null if none is running. */
export function runningWorker(home: string): number | null {
  const record = join(home, 'worker.json');
  try {
    if (Date.now() - statSync(record).mtimeMs > RECORD_MS) return null;
    const pid = Number(/"pid":(\d+)/.exec(readRegularText(record))?.[1]);
    return isProcessAlive(pid) ? pid : null;
  } catch {
    // No record: no worker.
    return null;
  }
}

/** True for only one of several hooks that run at once: that one may start the worker. */
function claimStart(marker: string): boolean {
  try {
    closeSync(openSync(marker, 'wx', 0o600));
    return true;
  } catch {
    if (Math.abs(Date.now() - statSync(marker).mtimeMs) < STARTING_MS) return false;
    rmSync(marker, { force: true });
    closeSync(openSync(marker, 'wx', 0o600));
    return true;
  }
}
