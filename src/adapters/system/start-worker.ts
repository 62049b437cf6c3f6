import { closeSync, openSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isProcessAlive } from './is-process-alive.ts';

/** A worker rewrites its record four times as often. */
const RECORD_MS = 90_000;
/** A worker that was started has said so within this time, however busy the machine is. */
const STARTING_MS = 15_000;

/**
 * Starts a worker unless one is alive or on its way. Only asks files, so two may start all the same: the lease decides.
 * The worker survives the agent, which ends what its hooks leave running in its process group.
 */
export function startWorker(home: string, command: string[], env: Record<string, string | undefined>): void {
  const [program, ...args] = command;
  if (
    program === undefined ||
    isAlive(join(home, 'worker.json')) ||
    !claimStart(join(home, 'worker.starting'))
  )
    return;
  const { spawn } = process.getBuiltinModule('node:child_process');
  const child = spawn(program, args, {
    cwd: home,
    detached: true,
    stdio: 'ignore',
    windowsHide: true,
    env: workerEnvironment(env, home),
  });
  // Without a listener an error would be printed.
  child.on('error', () => undefined);
  child.unref();
}

/**
 * An agent's marks on its children must not reach the worker; CLAUDE_CODE_CHILD_SESSION above all, with which Claude saves
 * no session. Where the transcripts are (CLAUDE_CONFIG_DIR, CODEX_HOME) stays. SMART_FORK_CHILD is our own mark.
 */
export function workerEnvironment(env: Record<string, string | undefined>, home: string): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) => !AGENT_VARIABLE.test(name));
  return { ...Object.fromEntries(kept), SMART_FORK_HOME: home, SMART_FORK_CHILD: '1' };
}

const AGENT_VARIABLE =
  /^(?:CLAUDECODE|CLAUDE_CODE_.*|CLAUDE_PID|CLAUDE_PROJECT_DIR|CLAUDE_ENV_FILE|CLAUDE_PLUGIN_.*|CODEX_(?!HOME$).*|PLUGIN_ROOT|PLUGIN_DATA)$/;

function isAlive(record: string): boolean {
  try {
    if (Date.now() - statSync(record).mtimeMs > RECORD_MS) return false;
    const pid = /"pid":(\d+)/.exec(readFileSync(record, 'utf8'))?.[1];
    return pid !== undefined && isProcessAlive(Number(pid));
  } catch {
    // No record: no worker.
    return false;
  }
}

/** Of a hundred hooks at once one gets to start the worker. */
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
