import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LiveProcess } from '../../../ports/transcript-source.ts';
import { isRecord } from '../transcript/read-value.ts';

/** Claude Code keeps `sessions/<pid>.json` for each of its processes while it runs. */
export function liveProcesses(homes: string[], sessionId: string): LiveProcess[] {
  return homes.flatMap((home) => {
    const folder = join(home, 'sessions');
    return list(folder)
      .filter((name) => /^\d+\.json$/.test(name))
      .map((name) => read(join(folder, name)))
      .filter((entry) => entry?.sessionId === sessionId && isAlive(entry))
      .map((entry) => ({ pid: Number(entry?.pid), busy: entry?.status === 'busy' }));
  });
}

function isAlive(entry: Record<string, unknown>): boolean {
  if (typeof entry.pid !== 'number' || !Number.isInteger(entry.pid)) return false;
  try {
    process.kill(entry.pid, 0);
  } catch (error) {
    // Another user's process is alive too.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
  const began = startOf(entry.pid);
  return began === null || typeof entry.procStart !== 'string' || began === entry.procStart;
}

/** When a process began, in the kernel's ticks; null where the system does not tell. Process ids are used again. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    // Only Linux has it.
    return null;
  }
}

function read(path: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return isRecord(value) ? value : null;
  } catch {
    // The process ended, or is just writing it.
    return null;
  }
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Older versions have no such folder.
    return [];
  }
}
