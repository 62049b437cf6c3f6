import type { RequestUsage, SessionUsage } from '../../domain/usage/usage.ts';

/** A transcript that may say what its session used. */
export interface UsageFile {
  path: string;
  size: number;
  inode: number;
}

/** How far a transcript's usage has been read. `state` is the reader's own. */
export interface UsagePosition {
  offset: number;
  state: string;
}

export interface CountedFile extends UsageFile {
  sessionId: string;
  position: UsagePosition;
}

/** From when to when, in milliseconds since the epoch. */
export interface UsagePeriod {
  since?: number;
  until?: number;
}

/**
 * What the requests in this machine's transcripts used (`state.db`). A request counts once, for the session that made it, however often
 * transcripts repeat it. `IndexState.forgetSessions` removes a session's; what was counted otherwise stays when the agent
 * deletes the transcript.
 */
export interface UsageRecords {
  countedFiles(): Map<string, CountedFile>;
  /** Stores what a file has more, and how far it was read, at once. */
  addUsage(file: CountedFile, requests: RequestUsage[]): void;
  /** By session, day of this machine's calendar, and model. */
  usage(period?: UsagePeriod): SessionUsage[];
}
