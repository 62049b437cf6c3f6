import { readFileSync } from 'node:fs';

/** A launcher (npx, a version manager) adds a process or two. */
const MAX_ANCESTORS = 5;

/**
 * A process and its ancestors, nearest first.
 * @param env for `ps`
 */
export function* listAncestors(pid: number, env: NodeJS.ProcessEnv): Generator<number> {
  let at: number | null = pid;
  for (let n = 0; n < MAX_ANCESTORS && at !== null && at > 1; n += 1) {
    yield at;
    at = parentOf(at, env);
  }
}

function parentOf(pid: number, env: NodeJS.ProcessEnv): number | null {
  if (process.platform === 'win32') return null;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) || null;
  } catch {
    // Only Linux has /proc.
    return process.platform === 'linux' ? null : askPs(pid, env);
  }
}

function askPs(pid: number, env: NodeJS.ProcessEnv): number | null {
  // Loaded on demand: loading it takes longer than ranking a keyword search, and Linux does not need it.
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const { stdout } = spawnSync('ps', ['-o', 'ppid=', '-p', String(pid)], {
    encoding: 'utf8',
    timeout: 1000,
    env,
  });
  return Number(stdout?.trim()) || null;
}
