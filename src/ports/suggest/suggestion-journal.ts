import type { Moment } from '../../domain/suggest/suggestion.ts';

/** What running sessions were told, so that nothing is suggested twice. */
export interface SuggestionJournal {
  /**
   * Claims a moment of a session for one of several processes. Returns the ids of the sessions suggested to it earlier; null if the
   * moment is already claimed.
   */
  claim(sessionId: string, moment: Moment, at: string): string[] | null;
  /** Records the session suggested at a claimed moment. */
  note(sessionId: string, moment: Moment, suggestedId: string): void;
}
