import { setTimeout as sleep } from 'node:timers/promises';
import { SmartForkError } from '../../domain/errors.ts';
import { type Lease, RENEW_EVERY_MS } from '../../ports/lease.ts';

const ASK_EVERY_MS = 20;
/** A turn is one session's parts: seconds at the most. */
const PATIENCE_MS = 60_000;

export interface Turns {
  /** Runs one thing at a time, over all processes that ask for the same lease. */
  take<T>(work: () => Promise<T>): Promise<T>;
  close(): void;
}

/** Turns by a lease, which a process that is killed gives up by that. It is opened with the first turn. */
export function createTurns(openLease: () => Promise<Lease>): Turns {
  let lease: Lease | null = null;
  let last: Promise<unknown> = Promise.resolve();
  const run = async <T>(work: () => Promise<T>): Promise<T> => {
    lease ??= await openLease();
    const held = lease;
    await acquire(held);
    const timer = setInterval(() => renew(held), RENEW_EVERY_MS);
    try {
      return await work();
    } finally {
      clearInterval(timer);
      held.release();
    }
  };
  return {
    take(work) {
      const turn = last.then(() => run(work));
      last = turn.catch(() => undefined);
      return turn;
    },
    close() {
      lease?.close();
      lease = null;
    },
  };
}

function renew(lease: Lease): void {
  try {
    lease.renew();
  } catch {
    // A locked database: the lease holds for several renewals.
  }
}

async function acquire(lease: Lease): Promise<void> {
  const until = Date.now() + PATIENCE_MS;
  while (!lease.acquire()) {
    if (Date.now() > until) {
      throw new SmartForkError('STORE_UNAVAILABLE', 'another process is writing to the archive', {
        hint: `Process ${lease.holder()?.pid ?? '(ended)'} has it; run the command again when it is done.`,
      });
    }
    await sleep(ASK_EVERY_MS);
  }
}
