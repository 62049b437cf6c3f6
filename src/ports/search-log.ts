import type { FitLevel } from '../domain/search/certainty.ts';

/** One search, without its words. */
export interface LoggedSearch {
  /** ISO 8601 UTC. */
  at: string;
  /** Null, as are the others, for a search of which only the forked result is known. */
  results: number | null;
  /** Null for a list that is not a search, too. */
  fit: FitLevel | null;
  ms: number | null;
}

/** What was searched for on this machine, to count how often that helped. Bounded: the oldest searches are dropped. Never throws. */
export interface SearchLog {
  note(search: LoggedSearch): void;
  /** Oldest first. */
  read(): LoggedSearch[];
}
