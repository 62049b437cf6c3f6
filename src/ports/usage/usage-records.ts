import type { RequestUsage, SessionHour, SessionUsage } from '../../domain/usage/usage.ts';

/** A transcript that may record its session's token usage. */
export interface UsageFile {
  path: string;
  size: number;
  inode: number;
}

/** How far a transcript's usage has been read. `state` belongs to the reader. */
export interface UsagePosition {
  offset: number;
  state: string;
}

export interface CountedFile extends UsageFile {
  sessionId: string;
  position: UsagePosition;
}

interface UsageWanted {
  /** Milliseconds since the epoch. */
  since?: number;
  until?: number;
  /** Only this session's. */
  sessionId?: string;
}

/**
 * Token usage of the requests in this machine's transcripts (`state.db`). A request counts once, for the session that made it, however
 * often transcripts repeat it. Usage survives the deletion of a transcript; `IndexState.forgetSessions` removes it.
 */
export interface UsageRecords {
  countedFiles(): Map<string, CountedFile>;
  /** Stores a file's new requests and its position in one transaction. */
  addUsage(file: CountedFile, requests: RequestUsage[]): void;
  /** By session, day in this machine's time zone, model and tier. */
  usage(wanted?: UsageWanted): SessionUsage[];
  /** By session and hour of the week. */
  hours(wanted?: Omit<UsageWanted, 'sessionId'>): SessionHour[];
}
