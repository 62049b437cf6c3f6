import type { FitLevel } from '../domain/search/certainty.ts';

/** One search, without its words. */
export interface LoggedSearch {
  /** ISO 8601 UTC. */
  at: string;
  results: number;
  /** Null for a list that is not a search. */
  fit: FitLevel | null;
  ms: number;
}

/** What was searched for on this machine, to count how often that helped. Bounded: the oldest searches are dropped. Never throws. */
export interface SearchLog {
  note(search: LoggedSearch): void;
  /** Oldest first. */
  read(): LoggedSearch[];
}
