import { setTimeout as sleep } from 'node:timers/promises';
import { type Lease, type LeaseHolder, RENEW_EVERY_MS } from '../../ports/lease.ts';

const ASK_EVERY_MS = 100;

export interface TurnOptions {
  signal: AbortSignal;
  /** Called once, when another process is at it. */
  onWait(holder: LeaseHolder | null): void;
}

/** What only one process of this machine should do at a time. */
export interface Turn {
  /** Waits until the other is done, or gone; true when it did. Returns without the turn when told to stop. */
  take(): Promise<boolean>;
  end(): void;
}

export function createTurn(open: () => Promise<Lease>, options: TurnOptions): Turn {
  let lease: Lease | null = null;
  let renewing: NodeJS.Timeout | undefined;
  return {
    async take() {
      const own = await open();
      lease = own;
      const waited = await waitForTurn(own, options);
      renewing = setInterval(() => renew(own), RENEW_EVERY_MS);
      return waited;
    },
    end() {
      clearInterval(renewing);
      lease?.release();
      lease?.close();
      lease = null;
    },
  };
}

/** A busy or full disk is no reason to stop: the lease holds for a minute, and two at once cost time alone. */
function renew(lease: Lease): void {
  try {
    lease.renew();
  } catch {
    // The work fails by itself if it cannot go on.
  }
}

async function waitForTurn(lease: Lease, { signal, onWait }: TurnOptions): Promise<boolean> {
  let told = false;
  for (; !lease.acquire() && !signal.aborted; await sleep(ASK_EVERY_MS)) {
    if (!told) onWait(lease.holder());
    told = true;
  }
  return told;
}
