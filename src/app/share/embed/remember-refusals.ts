import { problemOf, SmartForkError } from '../../../domain/errors.ts';
import { isPast } from '../../../domain/machine/is-past.ts';
import type { EmbeddingRefusals } from '../../../ports/embedder.ts';
import type { EmbeddingPause, Outbox } from '../../../ports/outbox.ts';

const FIRST_MS = 600_000;
const LONGEST_MS = 6 * 3_600_000;

export interface RememberedRefusals extends EmbeddingRefusals {
  /** The last refusal, whether or not the service may be asked again. */
  last(): EmbeddingPause | null;
  /** Ends the backoff because a user is waiting: the service is asked now. */
  forget(): void;
}

/** Refusals by the server's embedding service, stored in this machine's notes. */
export function rememberRefusals(outbox: () => Outbox, now: () => number): RememberedRefusals {
  const last = () => quietly(() => outbox().server.notes().embeddingPause) ?? null;
  return {
    last,
    current() {
      const pause = last();
      return pause === null || isPast(pause.until, now(), LONGEST_MS) ? null : problemOf(pause);
    },
    note(refusal) {
      const tries = (last()?.tries ?? 0) + 1;
      const until = now() + Math.min(LONGEST_MS, FIRST_MS * 2 ** (tries - 1));
      quietly(() => outbox().server.note({ embeddingPause: { until, tries, ...problemOf(refusal) } }));
    },
    clear() {
      if (last() !== null) quietly(() => outbox().server.note({ embeddingPause: null }));
    },
    forget() {
      const pause = last();
      if (pause !== null) quietly(() => outbox().server.note({ embeddingPause: { ...pause, until: 0 } }));
    },
  };
}

/** A read-only home or a busy database costs only an unnecessary request to the service. */
function quietly<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof SmartForkError) return undefined;
    throw error;
  }
}
