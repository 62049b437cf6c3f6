import type * as z from 'zod';
import type { sessionCard } from './json/session.ts';
import type { stats } from './json/state.ts';
import type { ServerSummary } from './server-state.ts';
import type { Unread } from './session/unread.ts';

/** A session as shown in lists. */
export type SessionCard = z.infer<typeof sessionCard>;
/** What is indexed on this machine. */
export type StatsReport = Omit<z.infer<typeof stats>, 'server' | 'searches'>;
export type SearchCounts = NonNullable<z.infer<typeof stats>['searches']>;
/** Transcripts archived on this machine. */
export type ArchiveSize = StatsReport['archive'];

/** The result of an indexing run. Counts are of transcripts unless stated otherwise. */
export interface IndexSummary {
  found: number;
  indexed: number;
  /** Sessions indexed from their prompts only, because the transcript is gone; absent if there were none. */
  only_prompts?: number;
  unchanged: number;
  /** Transcripts without messages, or with no others than their parent's. */
  empty: number;
  /** Excluded by privacy rules, or forgotten. */
  excluded: number;
  failed: { path: string; reason: string }[];
  /** Transcripts whose session has another transcript too. */
  duplicates: number;
  /** Number of points written. */
  points: number;
  /** Corrupt lines and records, by reason. */
  skipped: { reason: string; count: number }[];
  /** All that is not read on this machine, by reason, as of this run. */
  unread: Unread[];
  /** Points not embedded yet. */
  waiting: { intents: number; chunks: number };
  /** Result of sending to the server; null without a server. */
  server: ServerSummary | null;
  /** Sessions imported from the Python smart-fork's collection; absent if there were none. */
  imported?: number;
  /** Transcripts archived or updated, copies evicted to make room, and the problem if there was one. */
  archive: { kept: number; evicted: number; problem: string | null };
  took_ms: number;
  /** How long it waited for another run, in milliseconds; absent if it did not wait. */
  waited_ms?: number;
  /** The run stopped early; the next one continues from there. */
  interrupted: boolean;
}

/** Progress of a long job, reported a few times a second. */
export interface Progress {
  /** In the singular: `session`, `point`, `MB`. */
  unit: string;
  done: number;
  total: number;
  /** The current item. May be computed when it is read. */
  readonly label?: string;
}
