/** A failure on this machine. */
export interface LoggedError {
  /** ISO 8601 UTC. */
  at: string;
  /** What failed: an operation's summary, a command, or what the worker could not do. */
  doing: string;
  code: string;
  message: string;
}

/** What failed on this machine, without secrets. Bounded: the oldest errors are dropped. Never throws. */
export interface ErrorLog {
  /** Wrong use is no failure, and is left out; an error that is noted again, too. */
  note(doing: string, error: unknown): Promise<void>;
  /** Oldest first. */
  read(): LoggedError[];
}
