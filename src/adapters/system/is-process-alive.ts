import { readFileSync } from 'node:fs';

/** Whether a process with this id runs here. The hook calls this: import only Node's own modules here. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it runs, and belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
  return !isZombie(pid);
}

/** In a container there is often no init process to reap zombies: they keep their id for ever. */
function isZombie(pid: number): boolean {
  if (process.platform !== 'linux') return false;
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    // It ended just now, or there is no /proc.
    return false;
  }
}
