import type { Agent } from '../domain/session/session.ts';

/** `native`: the agent's own fork; `turn`: cut at a turn; `inject`: context as a first prompt. */
export type ForkWay = 'native' | 'turn' | 'inject';

/** What a user chose from a search, and what came of it. */
export interface ForkChoice {
  id: number;
  /** ISO 8601 UTC. */
  chosenAt: string;
  /** Null when the session was named, not searched for. */
  query: string | null;
  /** Place in the results, from 1. */
  rank: number | null;
  sessionId: string;
  /** The agent that was started. */
  agent: Agent;
  way: ForkWay;
  /** The last turn that was taken along, from 1. */
  turn: number | null;
  /** The session that came of it, once it is known. */
  resultSessionId: string | null;
}

/** This machine's record of forks, kept in `state.db` and nowhere else. Safe to use from several processes at once. */
export interface ForkJournal {
  /** Returns the choice's id. */
  record(choice: Omit<ForkChoice, 'id'>): number;
  /** Takes a choice back that came to nothing. */
  withdraw(id: number): void;
  setResult(id: number, sessionId: string): void;
  /** Choices whose session is not known yet, newest first. */
  waiting(since: string): ForkChoice[];
  /** Newest first. */
  list(limit: number): ForkChoice[];
  close(): void;
}
