import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openSqliteLease } from '../../../src/adapters/sqlite/state/sqlite-lease.ts';
import { LEASE_MS, type Lease, type LeaseHolder, withLease } from '../../../src/ports/lease.ts';

let folder: string;
let now: number;
const opened: Lease[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'smart-fork-lease-'));
  now = 1_800_000_000_000;
});
afterEach(() => {
  for (const lease of opened.splice(0)) lease.close();
  rmSync(folder, { recursive: true, force: true });
});

function open(pid = process.pid, host = 'here'): Lease {
  const lease = openSqliteLease({
    path: join(folder, 'state.db'),
    name: 'worker',
    pid,
    host,
    now: () => now,
  });
  opened.push(lease);
  return lease;
}

async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ['-e', '0']);
  await once(child, 'exit');
  return child.pid ?? 0;
}

describe('the lease', () => {
  it('grants the lease to one holder', () => {
    const [one, other] = [open(), open()];
    expect(one.acquire()).toBe(true);
    expect(other.acquire()).toBe(false);
    expect(other.renew()).toBe(false);
    expect(other.holder()).toEqual({ pid: process.pid, host: 'here', since: now });
    one.release();
    expect(other.holder()).toBeNull();
    expect(other.acquire()).toBe(true);
  });

  it('frees the lease of a killed process at once', async () => {
    open(await deadPid()).acquire();
    expect(open().acquire()).toBe(true);
  });

  it('frees the lease of another host once it is no longer renewed', async () => {
    open(await deadPid(), 'elsewhere').acquire();
    expect(open().acquire()).toBe(false);
    now += LEASE_MS + 1;
    expect(open().acquire()).toBe(true);
  });

  it('keeps the lease as long as it is renewed', () => {
    const [one, other] = [open(), open()];
    one.acquire();
    for (let beat = 0; beat < 10; beat += 1) {
      now += LEASE_MS / 2;
      expect(one.renew()).toBe(true);
      expect(other.acquire()).toBe(false);
    }
  });

  it('takes the lease from a suspended holder if another process asks for it', () => {
    const [sleeper, other] = [open(), open()];
    sleeper.acquire();
    now += 8 * 3_600_000;
    expect(other.acquire()).toBe(true);
    expect(sleeper.renew()).toBe(false);
    sleeper.release();
    expect(other.renew()).toBe(true);
  });

  it('leaves the lease with a suspended holder if nobody asks for it', () => {
    const sleeper = open();
    sleeper.acquire();
    now += 8 * 3_600_000;
    expect(sleeper.renew()).toBe(true);
    expect(open().acquire()).toBe(false);
  });

  it('expires the lease after the clock was set back', () => {
    open(process.pid, 'elsewhere').acquire();
    now -= 24 * 3_600_000;
    expect(open().acquire()).toBe(true);
  });
});

describe('withLease', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('runs the work and releases the lease, even if the work throws', async () => {
    const [one, other] = [open(), open()];
    expect(await withLease(one, {}, async () => other.acquire())).toBe(false);
    const failing = withLease(one, {}, () => Promise.reject(new Error('it failed')));
    await expect(failing).rejects.toThrow('it failed');
    expect(other.acquire()).toBe(true);
  });

  it('returns null while another process holds the lease, and asks whether to wait', async () => {
    const [one, other] = [open(), open()];
    other.acquire();
    expect(await withLease(one, {}, async () => 'done')).toBeNull();
    const holders: (number | undefined)[] = [];
    const keepWaiting = (holder: LeaseHolder | null) => {
      holders.push(holder?.pid);
      if (holders.length === 2) other.release();
      return true;
    };
    expect(await withLease(one, { waitMs: 10_000, keepWaiting }, async () => 'done')).toBe('done');
    expect(holders).toEqual([process.pid, process.pid]);
  });

  it('renews the lease during the work', async () => {
    vi.useFakeTimers();
    const [one, other] = [open(), open()];
    await withLease(one, {}, async ({ signal }) => {
      for (let at = 0; at < 10; at += 1) {
        now += LEASE_MS / 3;
        await vi.advanceTimersByTimeAsync(LEASE_MS / 3);
        expect(other.acquire()).toBe(false);
      }
      expect(signal.aborted).toBe(false);
    });
  });

  it('aborts the work if another process has taken the lease', async () => {
    vi.useFakeTimers();
    const [sleeper, other] = [open(), open()];
    await withLease(sleeper, {}, async ({ signal, isLost }) => {
      now += 8 * 3_600_000;
      expect(other.acquire()).toBe(true);
      await vi.advanceTimersByTimeAsync(LEASE_MS);
      expect([signal.aborted, isLost()]).toEqual([true, true]);
    });
    expect(other.renew()).toBe(true);
  });

  it('aborts the work with the signal of its caller', async () => {
    const stop = new AbortController();
    await withLease(open(), { signal: stop.signal }, async ({ signal, isLost }) => {
      stop.abort();
      expect([signal.aborted, isLost()]).toEqual([true, false]);
    });
  });
});
