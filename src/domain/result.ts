import type { RankingName, SearchMode } from './search/search.ts';
import type { Agent, Marker, Outcome } from './session/session.ts';

/** What one search says. The shape of `search --json` (docs/json.md): additions only, nothing renamed. */
export interface SearchResponse {
  query: string;
  /** The mode that was used, which is `keyword` when vectors are missing. */
  mode: SearchMode;
  ranking: RankingName;
  /** 0 to 100: how likely the first result is the right one (docs/ranking.md). Null without results. */
  confidence: number | null;
  notices: Notice[];
  took_ms: number;
  results: SearchResult[];
  /** For no or weak results: in how many sessions each word of the query occurs. */
  words?: { word: string; sessions: number }[];
  /** When filters are given and nothing was found: how many of `sessions` each lets through by itself. */
  filters?: FilterCount[];
  sessions?: number;
}

export interface FilterCount {
  /** As in the command's options, without dashes; `min_score` counts the matches, not the sessions. */
  filter: string;
  value: string | null;
  sessions: number;
  /** Out of how many, where it is not `sessions`. */
  of?: number;
}

/** Something the user should know, in one line, and what to do about it. */
export interface Notice {
  code: string;
  message: string;
  hint?: string;
}

export interface SearchResult extends SessionCard {
  rank: number;
  /** Only comparable within one answer; not a percentage. */
  score: number;
  recommended: boolean;
  repo_key: string | null;
  working_directory: string;
  /** The best matching passage. */
  snippet: string;
  /** Where its matched words are: [start, end) in UTF-16 units. */
  snippet_ranges: [number, number][];
  match: {
    type: 'chunk' | 'intent' | 'session';
    index: number;
    turn: number | null;
    timestamp: string | null;
  };
  jsonl_path: string | null;
  can_fork: boolean;
  /** The command to copy, which restores first if needed; `smart-fork retrieve …` if the session cannot be forked here. */
  fork_command: string;
  scores: ScoreParts;
}

/** The parts of a score, each already in its 0 to 1 form, and what they weighed. */
export interface ScoreParts {
  parts: Record<string, number>;
  weights: Record<string, number>;
}

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

/** The server that this machine shares with others, and what waits to be sent to it. */
export interface ServerState {
  address: string;
  collection: string;
  /** Null when the server did not answer, or does not say. */
  version: string | null;
  sessions: number | null;
  /** An estimate: the server does not tell. */
  bytes: number | null;
  /** The collection is the Python program's: it is read as it is. */
  read_only: boolean;
  /** The collection is not there yet: who sends first makes it. */
  missing: boolean;
  outbox: {
    /** Sessions. */
    waiting: number;
    /** Of those, the ones that the server would not take by themselves. */
    failing: number;
    since: string | null;
    next_try: string | null;
  };
  /** Why the server could not be asked, or takes nothing at the moment. */
  problem: { message: string; hint: string | null } | null;
  /** What of a server that embeds by itself is known; null where machines do, or when it did not answer. */
  embedding: {
    model: string;
    /** Points without a vector. */
    waiting: { intents: number; chunks: number };
    /** Why its service refused, the last time it was asked. */
    problem: { message: string; hint: string | null } | null;
  } | null;
}

/** What is kept of transcripts on the server, of all machines. */
export interface SharedArchiveSize {
  /** Whether this machine sends its own. */
  enabled: boolean;
  sessions: number;
  /** Of the transcripts. */
  bytes: number;
  /** On the server. */
  stored_bytes: number;
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

export interface DoctorCheck {
  name: string;
  status: 'ok' | 'warn' | 'fail';
  message: string;
  fix?: string;
}

export interface ServerSummary {
  /** Sessions. */
  sent: number;
  waiting: number;
  /** Another process is sending. */
  busy: boolean;
  /** Why something waits, or is not taken. */
  problems: { message: string; hint: string | null }[];
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
  /** Sessions imported from the Python smart-fork's collection; absent when there were none. */
  imported?: number;
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
