export interface AgentRun {
  /** Null if it was stopped. */
  exitCode: number | null;
  output: string;
  errors: string;
}

/** Runs an agent's program without a terminal, with a time limit; its hooks leave no jobs. Never throws. */
export type RunAgent = (call: {
  words: string[];
  directory: string;
  signal?: AbortSignal | undefined;
}) => Promise<AgentRun>;
