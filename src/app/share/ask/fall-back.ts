import { setTimeout as wait } from 'node:timers/promises';
import { SmartForkError } from '../../../domain/errors.ts';
import { type Outage, outageNotice } from '../../../domain/outage.ts';
import type { Notice } from '../../../domain/search-result.ts';
import type { RemoteStore } from '../../../ports/remote-store.ts';

/** Asks the server's store; null if it is unreachable or refuses. Throws any other error. */
export type Ask = <T>(question: (store: RemoteStore) => Promise<T>) => Promise<{ answer: T } | null>;

interface Fallback {
  ask: Ask;
  /** The same with one deadline for all questions together, in milliseconds spent waiting. */
  within(patience: number): Ask;
  notices(): Notice[];
  /** See SharedStore. */
  outage(): Outage | null;
}

/** A clock, replaced in tests. */
export interface Patience {
  /** Milliseconds since an arbitrary moment. */
  clock(): number;
  wait(ms: number, signal: AbortSignal): Promise<unknown>;
}

const REAL_TIME: Patience = {
  clock: () => performance.now(),
  wait: (ms, signal) => wait(ms, undefined, { signal }),
};

/** How long a server that did not answer is not asked again: the user has waited for it once. */
const AWAY_MS = 15_000;

export function createFallback(
  { remote, now }: { remote: () => Promise<RemoteStore>; now: () => number },
  time: Patience = REAL_TIME,
): Fallback {
  let awayUntil = Number.NEGATIVE_INFINITY;
  /** Why the server is not being asked. */
  let reason: Outage | null = null;
  /** The same, while answers lack the server's part. */
  let lacking: Outage | null = null;
  /** The same, until the user has been told. */
  let untold: Outage | null = null;
  let opened: RemoteStore | null = null;
  const askIn =
    (run: Run): Ask =>
    async (question) => {
      if (now() < awayUntil) {
        [lacking, untold] = [reason, reason];
        return null;
      }
      try {
        const store = await remote();
        opened = store;
        const answer = await run(() => question(store));
        lacking = null;
        return { answer };
      } catch (error) {
        if (!(error instanceof SmartForkError) || error.code === 'USAGE') throw error;
        // Of several simultaneous failures, the first one is reported.
        if (now() >= awayUntil) reason = outageOf(error);
        [lacking, untold] = [reason, reason];
        awayUntil = now() + AWAY_MS;
        return null;
      }
    };
  return {
    ask: askIn((work) => work()),
    within: (patience) => askIn(createStopwatch(patience, time)),
    notices() {
      const told = untold === null ? [] : [outageNotice(untold)];
      untold = null;
      return [...told, ...(opened?.notices() ?? [])];
    },
    outage() {
      if (lacking !== null) untold = null;
      return lacking;
    },
  };
}

type Run = <T>(work: () => Promise<T>) => Promise<T>;

/** Measures the time spent waiting, and fails when it is used up. */
function createStopwatch(patience: number, time: Patience): Run {
  let left = patience;
  let running = 0;
  let since = 0;
  return async (work) => {
    if (running === 0) since = time.clock();
    running += 1;
    const done = new AbortController();
    const rest = left - (time.clock() - since);
    const tooLate = time.wait(Math.max(0, rest), done.signal).then(() => {
      throw tooSlow(patience);
    });
    // Aborting the wait below rejects this promise, which is not an error.
    tooLate.catch(() => undefined);
    try {
      return await Promise.race([work(), tooLate]);
    } finally {
      done.abort();
      running -= 1;
      if (running === 0) left -= time.clock() - since;
    }
  };
}

function tooSlow(patience: number): SmartForkError {
  return new SmartForkError('STORE_UNAVAILABLE', `Qdrant did not answer within ${patience / 1000} seconds`, {
    hint: 'Run smart-fork doctor to check the server and the connection.',
  });
}

const CODES: Partial<Record<SmartForkError['code'], Outage['code']>> = {
  STORE_UNAVAILABLE: 'SERVER_AWAY',
  COLLECTION_MISSING: 'COLLECTION_MISSING',
  LEGACY_COLLECTION: 'LEGACY_COLLECTION',
};

function outageOf({ code, message, hint }: SmartForkError): Outage {
  return {
    code: CODES[code] ?? 'SERVER_REFUSED',
    extent: 'only this machine’s sessions',
    reason: message,
    hint,
  };
}
