import { readFileSync } from 'node:fs';

/** Whether a process of this id runs here. The hook asks this too: nothing but Node's own modules may be imported. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // A process that we may not signal is one.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
  return !isZombie(pid);
}

/** In a container often nobody collects processes that have ended: they keep their id for ever. */
function isZombie(pid: number): boolean {
  if (process.platform !== 'linux') return false;
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    // It ended just now, or /proc is not there to ask: the caller's answer stands.
    return false;
  }
}
