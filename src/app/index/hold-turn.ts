import { setTimeout as sleep } from 'node:timers/promises';
import { type Lease, type LeaseHolder, RENEW_EVERY_MS } from '../../ports/lease.ts';

const ASK_EVERY_MS = 100;

export interface TurnOptions {
  signal: AbortSignal;
  /** Called once if another process holds the lease. */
  onWait(holder: LeaseHolder | null): void;
}

/** Work for one process of this machine at a time. */
export interface Turn {
  /** Waits for the other process to end; true if it waited. Returns without the turn when aborted. */
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

/** Ignores a busy or full disk: the lease lasts a minute, and two concurrent runs only cost time. */
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
