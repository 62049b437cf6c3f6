import type { Agent } from '../domain/agent/agents.ts';

/** `native`: the agent's own fork; `turn`: a copy cut at a turn; `inject`: context as a first prompt. */
export type ForkWay = 'native' | 'turn' | 'inject';

/** A fork that a user chose, and the session it led to. */
export interface ForkChoice {
  id: number;
  /** ISO 8601 UTC. */
  chosenAt: string;
  /** Null when the session was named, not searched for. */
  query: string | null;
  /** Rank in the results, counted from 1. */
  rank: number | null;
  sessionId: string;
  agent: Agent;
  way: ForkWay;
  /** Only the command was given: the user may run it, or not. */
  printed: boolean;
  /** The last turn that was copied, counted from 1. */
  turn: number | null;
  /** The new session, once it is known. */
  resultSessionId: string | null;
  /** For a session that smart-fork made: the position at its end, as it was made. */
  copiedBytes: number | null;
}

/** A transcript that smart-fork wrote, or had an agent's program write. */
export interface TurnCopy {
  parentId: string;
  /** What is before this position was copied from the parent; null if unknown. */
  bytes: number | null;
}

export interface TurnCopies {
  /** Null for a session that is not such a copy. */
  copyOf(sessionId: string): TurnCopy | null;
}

/** This machine's record of forks, stored only in `state.db`. Safe to use from several processes at once. */
export interface ForkJournal {
  /** Returns the choice's id. */
  record(choice: Omit<ForkChoice, 'id'>): number;
  /** Removes a choice whose fork did not happen. */
  withdraw(id: number): void;
  setResult(id: number, sessionId: string): void;
  /** Choices whose new session is not known yet, newest first. */
  waiting(since: string): ForkChoice[];
  /** Newest first. */
  list(limit: number): ForkChoice[];
  /** Deletes the queries; the forks stay. `isOverwritten` is false if the text may remain in the file's log for now. */
  forgetQueries(): { count: number; isOverwritten: boolean };
  close(): void;
}
