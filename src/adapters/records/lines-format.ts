import type { Agent } from '../../domain/agent/agents.ts';
import type { Tokens } from '../../domain/usage/usage.ts';
import type { AgentCommands } from '../../ports/agent/agent-commands.ts';
import type { ContextSize } from '../../ports/transcript-source.ts';
import type { RecordSink } from './record-sink.ts';

/** A record of a transcript: the object of one line. */
export type Row = Record<string, unknown>;

/** An agent that writes each session to a file of its own, a record a line, and only ever appends to it. */
export interface LinesFormat {
  agent: Agent;
  /** The folders with transcripts in a home. */
  folders(home: string): string[];
  /** The session's id, from the path of its transcript; null for any other file. */
  idIn(path: string): string | null;
  /** What the first records say of the session; null if another program wrote them. */
  about(first: Row[]): SessionAbout | null;
  /** Tells the sink what a record says; false if it does not have the shape of its type. */
  tell(row: Row, sink: RecordSink): boolean;
  timestampOf(row: Row): string | null;
  /** The usage of the request that a record answers; absent if transcripts do not record tokens. */
  usageOf?(row: Row): { id: string; model: string | null; tokens: Tokens } | null;
  /** The size of the context after a record; absent if transcripts do not record it, undefined if this record says nothing of it. */
  contextAfter?(row: Row): ContextSize | null | undefined;
  commands?: AgentCommands;
  /** A file name in which `idIn` finds the session's id, in any folder. */
  copyName(sessionId: string): string;
  /** Where the agent finds a session's transcript from a folder. */
  restorePath?(home: string, sessionId: string, cwd: string): string;
  /** The first record of a copy that ends at a turn. Absent if the agent cannot resume such a copy. */
  copiedHead?(head: Row, copy: { sessionId: string; cwd: string; origin: string; now: string }): Row;
}

export interface SessionAbout {
  sessionId: string;
  cwd: string | null;
  /** Of its first message; what a session and its forks share. */
  fingerprint: string | null;
  /** The session it was forked from, and when: earlier records were copied from it. */
  parent: { id: string; since: string } | null;
  branch: string | null;
  version: string | null;
}
