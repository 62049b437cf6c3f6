/** The shell words that continue sessions, without `cd`. */
export interface AgentCommands {
  /**
   * The argument by which an agent started in a working directory (null: any) finds a transcript: the session's id, or the
   * transcript's path if the agent would not find the id.
   */
  resumeTarget(transcript: { sessionId: string; path: string }, workingDirectory: string | null): string;
  resume(target: string, options?: StartOptions): string[];
  /** Absent if the agent cannot fork. */
  fork?(target: string, options?: StartOptions): string[];
  /** Starts a new session with a first prompt. */
  start(prompt: string, options?: StartOptions): string[];
  /**
   * Resumes a session without a terminal and prints an answer to one question. The agent may read, but change nothing. Absent if it cannot.
   */
  ask?(target: string, question: string): string[];
  /** How to refer to a file in a prompt, so that the agent reads it. */
  fileReference(path: string): string;
  /** Those commands can set a new session's id, and its name. Unsupported options are left out. */
  readonly choosesIds?: true;
  readonly takesNames?: true;
  /** Brings back a session that the agent archived; absent when it has no archive. */
  restore?(sessionId: string): string[];
}

export interface StartOptions {
  name?: string;
  sessionId?: string;
}

export interface AgentProcesses {
  /** The agent's processes that have the session open now. */
  of(sessionId: string): LiveProcess[];
  /** The session that a process of the agent has open now; null if unknown. */
  session(pid: number): string | null;
}

export interface LiveProcess {
  pid: number;
  /** Working on an answer. */
  busy: boolean;
}
