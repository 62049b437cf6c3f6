import type { Moment } from '../../domain/suggest/suggestion.ts';

/** What running sessions were told, so that none is told anything twice. */
export interface SuggestionJournal {
  /**
   * Claims a moment of a session. Of several processes one gets it. Returns the sessions that were suggested to it before; null if the
   * moment was claimed before.
   */
  claim(sessionId: string, moment: Moment, at: string): string[] | null;
  /** Notes the session that was suggested at a moment that is claimed. */
  note(sessionId: string, moment: Moment, suggestedId: string): void;
}
