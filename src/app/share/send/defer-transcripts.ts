import type { OutboxEntry } from '../../../ports/outbox.ts';
import type { SendDependencies } from './send-dependencies.ts';

/** A session that has not changed for this long is idle. */
const IDLE_MS = 300_000;
/** Longest wait for a session that never becomes idle. */
const LONGEST_MS = 1_800_000;

/**
 * Decides which sessions' transcripts and lexical vectors are deferred until the session is idle, and until when. Otherwise each turn
 * would send the last part of the transcript again, which can be a hundred times the size of the turn. Sessions that are new on the
 * server, or compared, are sent at once, unless `all` are deferred.
 */
export function deferTranscripts(
  { now }: Pick<SendDependencies, 'now'>,
  entries: OutboxEntry[],
  all: boolean,
): Map<string, number> {
  const later = ({ since }: OutboxEntry) => Math.min(now() + IDLE_MS, since + LONGEST_MS);
  return new Map(
    entries
      .filter((entry) => entry.archive && (all || (!entry.whole && hasMore(entry) && later(entry) > now())))
      .map((entry) => [entry.sessionId, later(entry)]),
  );
}

/** Whether there is something to send besides the transcript. */
export function hasMore({ texts, vectors, tags }: OutboxEntry): boolean {
  return texts || vectors || tags !== null;
}
