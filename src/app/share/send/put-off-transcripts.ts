import type { OutboxEntry, PutOff } from '../../../ports/outbox.ts';
import type { SendDependencies } from './send-dependencies.ts';

/** A session without a change for this long is quiet. */
const QUIET_MS = 300_000;
/** One that is never quiet. */
const LONGEST_MS = 1_800_000;

/**
 * Which transcripts wait until their sessions are quiet: each turn sends its last part anew, which is up to a hundred times the
 * turn. Those that are new on the server, or compared, go at once, unless `all` are to wait.
 */
export function putOffTranscripts(
  { now }: Pick<SendDependencies, 'now'>,
  entries: OutboxEntry[],
  all: boolean,
): PutOff[] {
  const later = ({ since }: OutboxEntry) => Math.min(now() + QUIET_MS, since + LONGEST_MS);
  return entries
    .filter((entry) => entry.archive && (all || (!entry.whole && hasMore(entry) && later(entry) > now())))
    .map((entry) => ({ sessionId: entry.sessionId, revision: entry.revision, until: later(entry) }));
}

/** What was put off before has nothing but the transcript left. */
export function hasMore({ points, deletes, vectors, tags }: OutboxEntry): boolean {
  return vectors === null || tags !== null || points.length + deletes.length + vectors.length > 0;
}
