/** A session that was forgotten, by the id that it has on a server, where there is one. */
export interface ForgottenSession {
  sessionId: string;
  /** ISO 8601 UTC. */
  forgottenAt: string;
  /** The store on a server that was seen to have its tombstone; null: none yet. */
  storeId: string | null;
}

/** This machine's own memory of what was forgotten, with or without a server (`state.db`): its transcripts are not indexed again. */
export interface ForgottenSessions {
  forgotten(): ForgottenSession[];
  /** Those that are known keep their time. */
  noteForgotten(sessionIds: string[], forgottenAt: string, storeId: string | null): void;
  /** They may be indexed again. */
  dropForgotten(sessionIds: string[]): void;
  /** Takes out what was noted of how far their transcripts were read; it holds texts. */
  forgetSessions(sessionIds: string[]): void;
}
