import { SmartForkError } from '../../domain/errors.ts';
import type { Notice } from '../../domain/result.ts';
import type { RemoteStore } from '../../ports/remote-store.ts';

/** Asks the server; null when it does not answer, or refuses. Any other error is thrown. */
export type AskRemote = <T>(question: (remote: RemoteStore) => Promise<T>) => Promise<{ answer: T } | null>;

/** How long a server that did not answer is not asked again: who reads has waited for it once. */
const AWAY_MS = 15_000;

export function createFallback(deps: { remote: () => Promise<RemoteStore>; now: () => number }): {
  ask: AskRemote;
  notices: () => Notice[];
} {
  let awayUntil = Number.NEGATIVE_INFINITY;
  let notice: Notice | null = null;
  return {
    async ask(question) {
      if (deps.now() < awayUntil) return null;
      try {
        return { answer: await question(await deps.remote()) };
      } catch (error) {
        if (!(error instanceof SmartForkError) || error.code === 'USAGE') throw error;
        awayUntil = deps.now() + AWAY_MS;
        notice = noticeOf(error);
        return null;
      }
    },
    notices() {
      const told = notice === null ? [] : [notice];
      notice = null;
      return told;
    },
  };
}

function noticeOf({ code, message, hint }: SmartForkError): Notice {
  return {
    code: code === 'STORE_UNAVAILABLE' ? 'SERVER_AWAY' : 'SERVER_REFUSED',
    message: `sessions of this machine only: ${message}`,
    ...(hint !== undefined && { hint }),
  };
}
