import type { Idea } from '../../domain/session/ideas.ts';

/** A day's usage. */
interface ModelUse {
  calls: number;
  tokens: number;
  /** Ideas accepted and rejected that day. Rejected are invented quotations, unknown kinds and ideas already known. */
  ideas: number;
  dropped: number;
}

export interface ModelBudget {
  callsPerDay: number;
  tokensPerDay: number;
}

/**
 * What a model has read, and the ideas accepted from it (`state.db`). A rebuilt index takes the ideas from here: asking the model again
 * would cost again.
 */
export interface ModelNotes {
  /** In order of index. */
  modelIdeas(sessionId: string): Idea[];
  /** Hashes of the pieces already read. */
  readPieces(sessionId: string): Set<string>;
  /**
   * Records a piece as read, with its ideas, in one transaction. Indexes continue from the session's last one. Does nothing if the
   * piece is already recorded or the session is forgotten.
   */
  notePiece(sessionId: string, hash: string, ideas: Idea[], use: { day: string; dropped: number }): void;
  modelUse(day: string): ModelUse;
  /** Reserves a call before it is made; false if it would exceed the budget, which all processes share. */
  bookCall(day: string, tokens: number, budget: ModelBudget): boolean;
  /** Corrects the day's total when a call took more or fewer tokens than reserved. */
  correctTokens(day: string, difference: number): void;
}
