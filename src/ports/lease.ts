/**
 * The right to be this machine's worker.
 *
 * - At most one holder at any time, with one exception: a holder that slept (a laptop's lid) may find on waking that
 *   another took over. `renew` tells it so, and it must stop.
 * - The lease of a process that no longer runs is free at once; that of a process that no longer renews it, after `LEASE_MS`.
 * - Throws SmartForkError STORE_UNAVAILABLE.
 */
export interface Lease {
  /** False when another process holds it. */
  acquire(): boolean;
  /** False when it is another's by now. */
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
export const RENEW_EVERY_MS = 15_000;
