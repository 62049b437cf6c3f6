import { readFileSync } from 'node:fs';
import { hasCode } from './has-code.ts';

/** Whether a process with this id is running. The hook calls this: import only Node's own modules here. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: another user's process.
    return hasCode(error, 'EPERM');
  }
  return !isZombie(pid);
}

/** Containers often have no init process to reap zombies, which keep their id forever. */
function isZombie(pid: number): boolean {
  if (process.platform !== 'linux') return false;
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    // It has just ended, or there is no /proc.
    return false;
  }
}
