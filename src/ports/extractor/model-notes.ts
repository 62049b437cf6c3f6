import type { Idea } from '../../domain/memory/memory.ts';

/** What one day has used. */
export interface ModelUse {
  calls: number;
  tokens: number;
  /** Ideas that were accepted, and those that were not: invented quotations, unknown kinds, what is known already. */
  ideas: number;
  dropped: number;
}

export interface ModelBudget {
  callsPerDay: number;
  tokensPerDay: number;
}

/**
 * What a model was asked about sessions (`state.db`). The accepted ideas are here, too: an index that is built again takes them from
 * here, because asking again would cost again.
 */
export interface ModelNotes {
  /** In the order of their indexes. */
  modelIdeas(sessionId: string): Idea[];
  /** Hashes of what was read of a session. */
  readPieces(sessionId: string): Set<string>;
  /**
   * Notes a piece as read, with its ideas, in one transaction. Their indexes are continued from the session's last one. Does nothing
   * if the piece is noted, or the session forgotten.
   */
  notePiece(sessionId: string, hash: string, ideas: Idea[], use: { day: string; dropped: number }): void;
  modelUse(day: string): ModelUse;
  /** Counts a call before it is made; false if that would exceed the budget, also for several processes at once. */
  bookCall(day: string, tokens: number, budget: ModelBudget): boolean;
  /** The call took more tokens than booked, or fewer. */
  correctTokens(day: string, difference: number): void;
}
