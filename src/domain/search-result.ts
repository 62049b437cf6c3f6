import type { Understood } from './query/understanding.ts';
import type { Strength } from './search/confidence.ts';
import type { RankingName, SearchMode } from './search/search.ts';
import type { Together } from './search/together.ts';
import type { SessionCard } from './summary.ts';

/** The shape of `search --json` (docs/json.md): additions only, nothing renamed. */
export interface SearchResponse {
  query: string;
  /** Its further phrasings, if any were given. */
  also?: string[];
  /** The mode used: `keyword` if vectors are missing. */
  mode: SearchMode;
  ranking: RankingName;
  /** 0 to 100: the first result's certainty (docs/ranking.md). Null without results. */
  confidence: number | null;
  notices: Notice[];
  took_ms: number;
  /** What the query, `--not` and `--exclude` said besides the topic. */
  understood: Understood[];
  results: SearchResult[];
  /** The name of the repository one works in, if the preference for its sessions changed the results. */
  preferred?: string;
  /** Results that have together what none of them has alone. */
  together?: FoundTogether;
  /** For no or weak results: in how many sessions each word of the query occurs. */
  words?: CountedWord[];
  /** With filters and without results: how many of `sessions` each filter matches on its own. */
  filters?: FilterCount[];
  sessions?: number;
}

/** A word of a query, and in how many sessions it occurs. */
export interface CountedWord {
  word: string;
  sessions: number;
  /** Of a word that occurs nowhere: one of titles and names that is spelled almost alike. */
  similar?: string;
}

/** `text` names them by their ranks. */
export interface FoundTogether extends Together {
  text: string;
}

export interface FilterCount {
  /** As in the command's options, without dashes; `min_score` counts the matches, not the sessions. */
  filter: string;
  value: string | null;
  sessions: number;
  /** The total, if not `sessions`. */
  of?: number;
}

/** One line for the user, and what to do about it. */
export interface Notice {
  code: string;
  message: string;
  hint?: string;
}

export interface SearchResult extends SessionCard {
  rank: number;
  /** Only comparable within one answer; not a percentage. */
  score: number;
  /** The first result, if it is a strong match. */
  recommended: boolean;
  /** What the query names that led to the session: "commit 0f9e02bd: Turn the valve". Only for those results, which come first. */
  found_by?: string;
  /** Ids of further results that it is a fork of, or that are forks of it. */
  family?: string[];
  /** 0 to 100: how likely it is the right one, comparable between answers. Null in a list that is not a search. */
  certainty: number | null;
  /** The certainty in words. */
  strength: Strength | null;
  repo_key: string | null;
  working_directory: string;
  /** The best matching passage. */
  snippet: string;
  /** Matched words: [start, end) in UTF-16 units. */
  snippet_ranges: [number, number][];
  match: {
    type: 'chunk' | 'intent' | 'session';
    index: number;
    turn: number | null;
    timestamp: string | null;
    /** The id of the subagent whose conversation matched; absent in the session's own. */
    subagent?: string;
  };
  jsonl_path: string | null;
  can_fork: boolean;
  /** The command to copy, which restores first if needed; `smart-fork retrieve …` if the session cannot be forked here. */
  fork_command: string;
  scores: ScoreParts;
}

/** The parts of a score, each 0 to 1, and their weights. */
export interface ScoreParts {
  parts: Record<string, number>;
  weights: Record<string, number>;
  /** With further phrasings: the score of the query and of each of them alone, without recency. */
  phrasings?: number[];
}
