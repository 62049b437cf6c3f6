import { setTimeout as sleep } from 'node:timers/promises';
import { type Lease, type LeaseHolder, RENEW_EVERY_MS } from '../ports/lease.ts';

const ASK_EVERY_MS = 100;

export interface TurnOptions {
  signal: AbortSignal;
  /** Called once, when another process is at it. */
  onWait(holder: LeaseHolder | null): void;
}

/** Does what only one process of this machine should do at a time; waits until the other is done, or gone. */
export async function holdTurn<T>(lease: Lease, options: TurnOptions, work: () => Promise<T>): Promise<T> {
  try {
    await waitForTurn(lease, options);
    const renewing = setInterval(() => renew(lease), RENEW_EVERY_MS);
    try {
      return await work();
    } finally {
      clearInterval(renewing);
      lease.release();
    }
  } finally {
    lease.close();
  }
}

/** A busy or full disk is no reason to stop: the lease holds for a minute, and two at once cost time alone. */
function renew(lease: Lease): void {
  try {
    lease.renew();
  } catch {
    // The work fails by itself if it cannot go on.
  }
}

/** Returns without it when told to stop: the work looks at the same signal. */
async function waitForTurn(lease: Lease, { signal, onWait }: TurnOptions): Promise<void> {
  for (let told = false; !lease.acquire() && !signal.aborted; await sleep(ASK_EVERY_MS)) {
    if (!told) onWait(lease.holder());
    told = true;
  }
}
