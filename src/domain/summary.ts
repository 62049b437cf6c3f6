import type { ServerSummary } from './server-state.ts';
import type { Agent, Marker, Outcome } from './session/session.ts';

/** A session as lists show it. */
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
  /** The transcript was on this machine and is nowhere now. */
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
  by_repo: { value: string; count: number }[];
  by_month: { value: string; count: number }[];
  by_agent: { value: string; count: number }[];
}

/** Transcripts archived on this machine. */
export interface ArchiveSize {
  /** Whether archiving is on. */
  enabled: boolean;
  sessions: number;
  /** Of the transcripts. */
  bytes: number;
  /** On disk. */
  stored_bytes: number;
  max_bytes: number;
}

/** What one run of indexing did. Counts are of transcripts unless stated otherwise. */
export interface IndexSummary {
  found: number;
  indexed: number;
  /** Sessions whose transcript is gone, of which the prompts were indexed; absent if there were none. */
  only_prompts?: number;
  unchanged: number;
  /** Without messages. */
  empty: number;
  /** By privacy rules, or forgotten. */
  excluded: number;
  failed: { path: string; reason: string }[];
  /** Transcripts of a session that another transcript has too. */
  duplicates: number;
  /** Points written. */
  points: number;
  /** Corrupt lines and records. */
  skipped: { reason: string; count: number }[];
  /** Points not embedded yet. */
  waiting: { intents: number; chunks: number };
  /** What was sent to the server; null without one. */
  server: ServerSummary | null;
  /** Sessions imported from the Python smart-fork's collection; absent if there were none. */
  imported?: number;
  /** Transcripts archived or updated, copies evicted to make room, and what went wrong. */
  archive: { kept: number; evicted: number; problem: string | null };
  took_ms: number;
  /** How long it waited for another run; absent if there was none. */
  waited_ms?: number;
  /** Stopped early; the next run continues from there. */
  interrupted: boolean;
}

/** Progress of a long job, a few times a second. */
export interface Progress {
  /** In the singular: `session`, `point`, `MB`. */
  unit: string;
  done: number;
  total: number;
  /** The current item. */
  label?: string;
}
