/** An agent's program as a shell would find it. */
export interface AgentProgram {
  path: string;
  /** As in `2.1.329`; null when it does not say. */
  version: string | null;
}

/** Looks a program up on PATH and asks its version; null when it is not there. Never throws. */
export type FindAgentProgram = (name: string) => Promise<AgentProgram | null>;
