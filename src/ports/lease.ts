import { setTimeout as sleep } from 'node:timers/promises';

/**
 * The exclusive right of one process on this machine to do something.
 *
 * - At most one holder at any time, with one exception: a holder that slept (a closed laptop) may wake to find that another
 *   took over. `renew` then returns false, and it must stop.
 * - The lease of a process that has ended is free at once; that of a process that no longer renews it, after `LEASE_MS`.
 * - Throws SmartForkError STORE_UNAVAILABLE.
 */
export interface Lease {
  /** False while another process holds it. */
  acquire(): boolean;
  /** False once another process holds it. */
  renew(): boolean;
  release(): void;
  holder(): LeaseHolder | null;
  close(): void;
}

export interface LeaseHolder {
  pid: number;
  host: string;
  /** Milliseconds since the epoch. */
  since: number;
}

export const LEASE_MS = 60_000;
const RENEW_EVERY_MS = 15_000;
const ASK_EVERY_MS = 50;

export interface LeaseOptions {
  /** Ends the wait and aborts the work. */
  signal?: AbortSignal;
  /** How long to wait for another holder; 0 by default. */
  waitMs?: number;
  /** Called each time another process still holds the lease; false ends the wait. */
  keepWaiting?(holder: LeaseHolder | null): boolean;
  onRenewed?(): void;
  /** Reports a failure. The lease survives a few failed renewals: a locked or full disk does not end the work. */
  onError?(what: string, error: unknown): void;
}

export interface HeldLease {
  /** Aborted when the caller's signal is, and when the lease is lost. */
  signal: AbortSignal;
  /** Whether another process has taken over. */
  isLost(): boolean;
  release(): void;
}

/** Runs `work` while holding the lease, which it keeps renewing; null when another process holds it. */
export async function withLease<T>(
  lease: Lease,
  options: LeaseOptions,
  work: (held: HeldLease) => Promise<T>,
): Promise<T | null> {
  const held = await takeLease(lease, options);
  if (held === null) return null;
  try {
    return await work(held);
  } finally {
    held.release();
  }
}

/** For work that only discovers midway that it needs the lease; otherwise use `withLease`. */
export async function takeLease(lease: Lease, options: LeaseOptions): Promise<HeldLease | null> {
  return (await acquire(lease, options)) ? hold(lease, options) : null;
}

async function acquire(lease: Lease, { signal, waitMs = 0, keepWaiting }: LeaseOptions): Promise<boolean> {
  for (const until = Date.now() + waitMs; !lease.acquire(); await sleep(ASK_EVERY_MS)) {
    if (keepWaiting?.(lease.holder()) === false || signal?.aborted || Date.now() >= until) return false;
  }
  return true;
}

function hold(lease: Lease, { signal, onRenewed, onError }: LeaseOptions): HeldLease {
  const stop = new AbortController();
  const abort = () => stop.abort();
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort, { once: true });
  let isLost = false;
  const attempt = (what: string, task: () => void) => {
    try {
      task();
    } catch (error) {
      onError?.(what, error);
    }
  };
  const timer = setInterval(() => {
    attempt('renew the lease', () => {
      isLost ||= !lease.renew();
    });
    if (isLost) abort();
    else onRenewed?.();
  }, RENEW_EVERY_MS);
  return {
    signal: stop.signal,
    isLost: () => isLost,
    release() {
      clearInterval(timer);
      signal?.removeEventListener('abort', abort);
      attempt('release the lease', () => lease.release());
    },
  };
}
