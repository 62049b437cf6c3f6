import { setTimeout as wait } from 'node:timers/promises';
import { SmartForkError } from '../../domain/errors.ts';
import type { Notice } from '../../domain/result.ts';
import type { RemoteStore } from '../../ports/remote-store.ts';

/** Asks the server; null when it does not answer, or refuses. Any other error is thrown. */
export type AskRemote = <T>(question: (remote: RemoteStore) => Promise<T>) => Promise<{ answer: T } | null>;

export interface Fallback {
  ask: AskRemote;
  /** The same for one search: all its questions together wait for the server no longer than this, in milliseconds. */
  within(patience: number): AskRemote;
  notices(): Notice[];
}

/** The time that is waited for answers; tests have their own. */
export interface Patience {
  /** Milliseconds, of no matter what. */
  clock(): number;
  wait(ms: number, signal: AbortSignal): Promise<unknown>;
}

const REAL_TIME: Patience = {
  clock: () => performance.now(),
  wait: (ms, signal) => wait(ms, undefined, { signal }),
};

/** How long a server that did not answer is not asked again: who reads has waited for it once. */
const AWAY_MS = 15_000;

export function createFallback(
  { remote, now }: { remote: () => Promise<RemoteStore>; now: () => number },
  time: Patience = REAL_TIME,
): Fallback {
  let awayUntil = Number.NEGATIVE_INFINITY;
  let notice: Notice | null = null;
  const askUntil =
    (patience: (() => Stopwatch) | null): AskRemote =>
    async (question) => {
      if (now() < awayUntil) return null;
      try {
        const store = await remote();
        const asked = () => question(store);
        return { answer: await (patience === null ? asked() : patience().run(asked)) };
      } catch (error) {
        if (!(error instanceof SmartForkError) || error.code === 'USAGE') throw error;
        // Questions that were under way together fail together, and are told of once.
        if (now() >= awayUntil) notice = noticeOf(error);
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
      const told = notice === null ? [] : [notice];
      notice = null;
      return told;
    },
  };
}

interface Stopwatch {
  run<T>(work: () => Promise<T>): Promise<T>;
}

/** Counts the time in which something is under way, and gives up when it is used up. */
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
      // The wait that is ended below ends in an error, which is nobody's.
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

function noticeOf({ code, message, hint }: SmartForkError): Notice {
  return {
    code: code === 'STORE_UNAVAILABLE' ? 'SERVER_AWAY' : 'SERVER_REFUSED',
    message: `sessions of this machine only: ${message}`,
    ...(hint !== undefined && { hint }),
  };
}
