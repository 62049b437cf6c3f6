import type { ServerEntry } from '../domain/agent-hooks.ts';

export interface HookTrial {
  /** Null when it was ended from outside. */
  exitCode: number | null;
  ms: number;
  /** What it printed, which should be nothing. */
  output: string;
  /** Whether it left a job for the worker. */
  leftJob: boolean;
}

export type ServerAnswer =
  | { ok: true; name: string; version: string; ms: number }
  | { ok: false; reason: string };

/** Tries what is registered with the agents, as they would start it. Both have a time limit, and neither throws. */
export interface EntryProbe {
  /** Runs a hook with an empty stdin in a throw-away home, where it starts no worker. */
  tryHook(command: string): Promise<HookTrial>;
  /** Starts an MCP server, asks it to initialize, and ends it. */
  askServer(server: ServerEntry): Promise<ServerAnswer>;
}
