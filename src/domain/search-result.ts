import type { Understood } from './query/understanding.ts';
import type { Evidence, Fit, Strength } from './search/certainty.ts';
import type { RankingName, SearchMode } from './search/search.ts';
import type { Together } from './search/together.ts';
import type { SessionCard } from './summary.ts';

/** The shape of `search --json` (docs/json.md): fields may be added, never renamed. */
export interface SearchResponse {
  query: string;
  /** The query's further phrasings, if any. */
  also?: string[];
  /** The mode actually used: `keyword` if vectors are missing. */
  mode: SearchMode;
  ranking: RankingName;
  /** 0 to 100: the first result's certainty (docs/internals/ranking.md). Null without results. */
  confidence: number | null;
  /** How well the best result fits, in the words of every door; absent for a list that is not a search, and without results. */
  fit?: Fit;
  notices: Notice[];
  took_ms: number;
  /** Conditions in the query, `--not` and `--exclude`, besides the topic. */
  understood: Understood[];
  results: SearchResult[];
  /** How many sessions matched, of which `results` are the best. Absent in a list that is not a search. */
  matched?: number;
  /** The sessions that matched, counted by value; only where asked for. */
  facets?: Facets;
  /** The name of the current repository, if preferring its sessions changed the results. */
  preferred?: string;
  /** Results that together cover what none of them covers alone. */
  together?: FoundTogether;
  /** For no or weak results: in how many sessions each word of the query occurs. */
  words?: CountedWord[];
  /** With filters and without results: how many of `sessions` each filter matches on its own. */
  filters?: FilterCount[];
  sessions?: number;
}

/** Values with the most sessions first, months in order. */
export type Facets = Record<'repo' | 'agent' | 'branch' | 'month', { value: string; count: number }[]>;

/** A word of a query, and in how many sessions it occurs. */
export interface CountedWord {
  word: string;
  sessions: number;
  /** For a word that occurs nowhere: a similar word from titles and names. */
  similar?: string;
}

/** `text` names them by their ranks. */
export interface FoundTogether extends Together {
  text: string;
}

export interface FilterCount {
  /** Named like the command's option, without dashes; `min_score` counts matches instead of sessions. */
  filter: string;
  value: string | null;
  sessions: number;
  /** The total, if not `sessions`. */
  of?: number;
}

/** A message to the user in one line, and what to do about it. */
export interface Notice {
  code: string;
  message: string;
  hint?: string;
}

export interface SearchResult extends SessionCard {
  rank: number;
  /** Comparable only within one answer; not a percentage. */
  score: number;
  /** The first result, if it is a strong match. */
  recommended: boolean;
  /** The name in the query that led to the session: "commit 0f9e02bd: Turn the valve". Only on such results, which come first. */
  found_by?: string;
  /** Ids of the other results in its family: its forks, its origin, sessions that did the same. */
  family?: string[];
  /** 0 to 100: how likely this is the right session; comparable between answers. Null in a list that is not a search. */
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
    /** Id of the subagent whose conversation matched; absent for the session's own. */
    subagent?: string;
  };
  jsonl_path: string | null;
  can_fork: boolean;
  /** The command to copy. It restores the session first if needed; `smart-fork retrieve …` if the session cannot be forked here. */
  fork_command: string;
  scores: ScoreParts;
}

/** The parts of a score, each 0 to 1, and their weights. */
export interface ScoreParts {
  parts: Record<string, number>;
  weights: Record<string, number>;
  /** With further phrasings: the scores of the query and of each phrasing, without recency. */
  phrasings?: number[];
  /** What the certainty was computed from; absent for sessions that the query names. */
  evidence?: Evidence;
}
