import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LiveProcess } from '../../ports/agent/agent-commands.ts';
import { readRegularFile } from '../files/look-at-path.ts';
import { listFolder } from '../jsonl/list-folder.ts';
import { asId, asRecord, parseJson } from '../jsonl/read-value.ts';
import { isProcessAlive } from '../system/is-process-alive.ts';

/** Claude Code has a file `sessions/<pid>.json` for each running process. */
export function liveProcesses(homes: string[], sessionId: string): LiveProcess[] {
  return homes.flatMap((home) => {
    const folder = join(home, FOLDER);
    return listFolder(folder)
      .filter(({ name }) => /^\d+\.json$/.test(name))
      .map(({ name }) => readEntry(join(folder, name)))
      .filter((entry) => entry?.sessionId === sessionId && isAlive(entry))
      .map((entry) => ({ pid: Number(entry?.pid), busy: entry?.status === 'busy' }));
  });
}

/** The session that a process has open now. It changes when the user clears the conversation or resumes another session. */
export function sessionOfProcess(homes: string[], pid: number): string | null {
  for (const home of homes) {
    const entry = readEntry(join(home, FOLDER, `${pid}.json`));
    if (entry?.pid === pid && isAlive(entry)) return asId(entry.sessionId);
  }
  return null;
}

const FOLDER = 'sessions';

function isAlive(entry: Record<string, unknown>): boolean {
  if (typeof entry.pid !== 'number' || !Number.isInteger(entry.pid) || !isProcessAlive(entry.pid))
    return false;
  const start = startOf(entry.pid);
  return start === null || typeof entry.procStart !== 'string' || start === entry.procStart;
}

/** When a process started, in the kernel's ticks; null if unknown. Detects a reused process id. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    // Only Linux has /proc.
    return null;
  }
}

function readEntry(path: string): Record<string, unknown> | null {
  return asRecord(parseJson(readRegularFile(path)));
}
