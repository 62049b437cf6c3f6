import type { Agent } from './agent/agents.ts';
import type { ServerSummary } from './server-state.ts';
import type { Marker, Outcome } from './session/session.ts';
import type { Unread } from './session/unread.ts';

/** A session as shown in lists. */
export interface SessionCard {
  session_id: string;
  agent: Agent;
  title: string;
  repo_name: string;
  branch: string | null;
  machine: string;
  started_at: string | null;
  ended_at: string | null;
  message_count: number;
  /** Whether the transcript is on this machine. */
  local: boolean;
  /** Whether the transcript can be restored from an archive. */
  restorable: boolean;
  /** The transcript used to be on this machine and no longer exists anywhere. */
  gone?: true;
  outcome: Outcome;
  markers: Marker[];
  tags: string[];
  starred: boolean;
  note: string | null;
  parent_session_id: string | null;
}

export interface StatsReport {
  sessions: number;
  chunks: number;
  intents: number;
  vectors: number;
  waiting: { intents: number; chunks: number };
  store: { kind: string; location: string; bytes: number; model: string | null };
  archive: ArchiveSize;
  last_synced: string | null;
  /** What was not read on this machine, by reason. */
  unread: Unread[];
  by_repo: { value: string; count: number }[];
  by_month: { value: string; count: number }[];
  by_agent: { value: string; count: number }[];
}

/** Transcripts archived on this machine. */
export interface ArchiveSize {
  enabled: boolean;
  sessions: number;
  /** Uncompressed. */
  bytes: number;
  /** As stored on disk. */
  stored_bytes: number;
  max_bytes: number;
}

/** The result of an indexing run. Counts are of transcripts unless stated otherwise. */
export interface IndexSummary {
  found: number;
  indexed: number;
  /** Sessions indexed from their prompts only, because the transcript is gone; absent if there were none. */
  only_prompts?: number;
  unchanged: number;
  /** Transcripts without messages. */
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
