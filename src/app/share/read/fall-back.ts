import { setTimeout as wait } from 'node:timers/promises';
import { SmartForkError } from '../../../domain/errors.ts';
import type { Notice } from '../../../domain/search-result.ts';
import type { RemoteStore } from '../../../ports/remote-store.ts';

/** Asks the server's store; null when it is away or refuses. Throws any other error. */
export type Ask<S> = <T>(question: (store: S) => Promise<T>) => Promise<{ answer: T } | null>;
export type AskRemote = Ask<RemoteStore>;

export interface Fallback<S> {
  ask: Ask<S>;
  /** The same with one deadline for all questions together, in milliseconds of waiting. */
  within(patience: number): Ask<S>;
  notices(): Notice[];
}

export interface FallbackDependencies<S> {
  remote: () => Promise<S>;
  now: () => number;
}

/** A clock; tests have their own. */
export interface Patience {
  /** Milliseconds since any moment. */
  clock(): number;
  wait(ms: number, signal: AbortSignal): Promise<unknown>;
}

const REAL_TIME: Patience = {
  clock: () => performance.now(),
  wait: (ms, signal) => wait(ms, undefined, { signal }),
};

/** How long a server that did not answer is left alone: the user has waited for it once. */
const AWAY_MS = 15_000;

export function createFallback<S>(
  { remote, now }: FallbackDependencies<S>,
  time: Patience = REAL_TIME,
): Fallback<S> {
  let awayUntil = Number.NEGATIVE_INFINITY;
  /** Why the server is left alone, and whether the user has yet to be told. */
  let reason: Notice | null = null;
  let isOpen = false;
  const askUntil =
    (patience: (() => Stopwatch) | null): Ask<S> =>
    async (question) => {
      if (now() < awayUntil) {
        isOpen = true;
        return null;
      }
      try {
        const store = await remote();
        const asked = () => question(store);
        return { answer: await (patience === null ? asked() : patience().run(asked)) };
      } catch (error) {
        if (!(error instanceof SmartForkError) || error.code === 'USAGE') throw error;
        // Of several questions at once, the first one says why.
        if (now() >= awayUntil) reason = noticeOf(error);
        isOpen = true;
        awayUntil = now() + AWAY_MS;
        return null;
      }
    };
  return {
    ask: askUntil(null),
    within(patience) {
      const watch = createStopwatch(patience, time);
      return askUntil(() => watch);
    },
    notices() {
      const told = isOpen && reason !== null ? [reason] : [];
      isOpen = false;
      return told;
    },
  };
}

interface Stopwatch {
  run<T>(work: () => Promise<T>): Promise<T>;
}

/** Measures the time spent waiting, and gives up when it is used up. */
function createStopwatch(patience: number, time: Patience): Stopwatch {
  let left = patience;
  let running = 0;
  let since = 0;
  return {
    async run(work) {
      if (running === 0) since = time.clock();
      running += 1;
      const done = new AbortController();
      const rest = left - (time.clock() - since);
      const tooLate = time.wait(Math.max(0, rest), done.signal).then(() => {
        throw tooSlow(patience);
      });
      // Aborting the wait below rejects it, which means nothing.
      tooLate.catch(() => undefined);
      try {
        return await Promise.race([work(), tooLate]);
      } finally {
        done.abort();
        running -= 1;
        if (running === 0) left -= time.clock() - since;
      }
    },
  };
}

function tooSlow(patience: number): SmartForkError {
  return new SmartForkError('STORE_UNAVAILABLE', `Qdrant did not answer within ${patience / 1000} seconds`, {
    hint: 'smart-fork doctor looks at the server and the way to it.',
  });
}

const CODES: Partial<Record<SmartForkError['code'], string>> = {
  STORE_UNAVAILABLE: 'SERVER_AWAY',
  COLLECTION_MISSING: 'COLLECTION_MISSING',
  LEGACY_COLLECTION: 'LEGACY_COLLECTION',
};

function noticeOf({ code, message, hint }: SmartForkError): Notice {
  return {
    code: CODES[code] ?? 'SERVER_REFUSED',
    message: `sessions of this machine only: ${message}`,
    ...(hint !== undefined && { hint }),
  };
}
