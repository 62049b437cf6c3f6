import type { RankingName, SearchMode } from './search/search.ts';
import type { Agent, Marker, Outcome } from './session/session.ts';

/** The shape of `search --json` (docs/json.md): additions only, nothing renamed. */
export interface SearchResponse {
  query: string;
  /** The mode used: `keyword` if vectors are missing. */
  mode: SearchMode;
  ranking: RankingName;
  /** 0 to 100: how likely the first result is the right one (docs/ranking.md). Null without results. */
  confidence: number | null;
  notices: Notice[];
  took_ms: number;
  results: SearchResult[];
  /** For no or weak results: in how many sessions each word of the query occurs. */
  words?: { word: string; sessions: number }[];
  /** With filters and without results: how many of `sessions` each filter matches on its own. */
  filters?: FilterCount[];
  sessions?: number;
}

export interface FilterCount {
  /** As in the command's options, without dashes; `min_score` counts the matches, not the sessions. */
  filter: string;
  value: string | null;
  sessions: number;
  /** Out of how many, if not `sessions`. */
  of?: number;
}

/** One line the user should know, and what to do about it. */
export interface Notice {
  code: string;
  message: string;
  hint?: string;
}

export interface SearchResult {
  rank: number;
  /** Only comparable within one answer; not a percentage. */
  score: number;
  recommended: boolean;
  session_id: string;
  agent: Agent;
  title: string;
  repo_name: string;
  repo_key: string | null;
  working_directory: string;
  branch: string | null;
  machine: string;
  started_at: string | null;
  ended_at: string | null;
  message_count: number;
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
  /** Whether the transcript is on this machine. */
  local: boolean;
  /** Whether it is not, but is archived. */
  restorable: boolean;
  jsonl_path: string | null;
  can_fork: boolean;
  /** The command to copy, which restores first if needed; `smart-fork retrieve …` if the session cannot be forked here. */
  fork_command: string;
  markers: Marker[];
  outcome: Outcome;
  tags: string[];
  parent_session_id: string | null;
  scores: ScoreParts;
}

/** The parts of a score, each 0 to 1, and their weights. */
export interface ScoreParts {
  parts: Record<string, number>;
  weights: Record<string, number>;
}
