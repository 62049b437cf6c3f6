import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, constants, loadavg, setPriority } from 'node:os';
import { join } from 'node:path';

/** Whether the machine is on battery. Linux has small files for this; elsewhere it would take a program, so the answer is false. */
export function isOnBattery(supplies = '/sys/class/power_supply'): boolean {
  if (process.platform !== 'linux') return false;
  const all = list(supplies).map((name) => ({
    type: read(join(supplies, name, 'type')),
    scope: read(join(supplies, name, 'scope')),
    online: read(join(supplies, name, 'online')),
    status: read(join(supplies, name, 'status')),
  }));
  // A mouse has a battery too: scope "Device".
  const own = all.filter(({ scope }) => scope !== 'Device');
  if (own.some(({ type, online }) => type !== 'Battery' && online === '1')) return false;
  return own.some(({ type, status }) => type === 'Battery' && status === 'Discharging');
}

/** How many threads may compute: every core of an idle machine on mains power, else half. Windows has no load average and counts as idle. */
export function freeThreads(
  cores = availableParallelism(),
  load = loadavg()[0] ?? 0,
  onBattery = isOnBattery(),
): number {
  return !onBattery && load < cores / 2 ? cores : Math.max(1, Math.floor(cores / 2));
}

/** Lowers this process's priority, if allowed. */
export function lowerPriority(): void {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // A sandbox may forbid it.
  }
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // No such folder: no power management, so no battery.
    return [];
  }
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    // Not every kind of supply has this file.
    return null;
  }
}
