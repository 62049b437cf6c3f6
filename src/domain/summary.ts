import type { ServerSummary } from './server-state.ts';
import type { Agent, Marker, Outcome } from './session/session.ts';

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
  local: boolean;
  restorable: boolean;
  outcome: Outcome;
  markers: Marker[];
  tags: string[];
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

/** What is kept of transcripts on this machine. */
export interface ArchiveSize {
  /** Whether more is kept. */
  enabled: boolean;
  sessions: number;
  /** Of the transcripts. */
  bytes: number;
  /** On disk. */
  stored_bytes: number;
  max_bytes: number;
}

/** What one run of indexing did. Counts are of transcripts where nothing else is said. */
export interface IndexSummary {
  found: number;
  indexed: number;
  unchanged: number;
  /** Without a single message. */
  empty: number;
  /** Kept out by the user's privacy rules. */
  excluded: number;
  failed: { path: string; reason: string }[];
  /** Transcripts that hold a session which another one holds too. */
  duplicates: number;
  /** Points written. */
  points: number;
  /** Lines and records that were left out. */
  skipped: { reason: string; count: number }[];
  /** Points that wait for a vector. */
  waiting: { intents: number; chunks: number };
  /** What was sent to the server that this machine shares; null without one. */
  server: ServerSummary | null;
  /** Transcripts of which a copy was kept or brought up to date, copies that made room, and what went wrong. */
  archive: { kept: number; evicted: number; problem: string | null };
  took_ms: number;
  /** How long another run was waited for; absent when there was none. */
  waited_ms?: number;
  /** Stopped before the end; the next run goes on from there. */
  interrupted: boolean;
}

/** Progress of a long job, told a few times a second. */
export interface Progress {
  /** What is counted, in the singular: `session`, `point`, `MB`. */
  unit: string;
  done: number;
  total: number;
  /** What is being worked on. */
  label?: string;
}
