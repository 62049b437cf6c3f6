import type { Agent } from '../../domain/agent/agents.ts';
import type { AgentCommands } from '../../ports/agent/agent-commands.ts';
import type { CreateRequest } from '../../ports/agent/conversation.ts';
import type { Row, RowFormat, SessionAbout, SubagentPlace } from './row-format.ts';

/** An agent that writes each session to a file of its own, a record a line, and only ever appends to it. */
export interface LinesFormat extends RowFormat {
  agent: Agent;
  /** The folders with transcripts in a home. */
  folders(home: string): string[];
  /** The session's id, from the path of its transcript; null for any other file. */
  idIn(path: string): string | null;
  /** What the first records say of the session; null if another program wrote them. */
  about(first: Row[]): SessionAbout | null;
  /**
   * A record's place in a tree of records, null for one that has none. Without a parent, it follows the record before; `ROOT` begins
   * anew. Absent if transcripts are lists.
   */
  linkOf?(row: Row): { id: string; parentId: string | null } | null;
  /** The session's title, if it is in a file beside the transcript. */
  titleBeside?(path: string): SessionAbout['title'];
  /** Absent if the agent has no subagents with transcripts. */
  subagents?(path: string, sessionId: string): SubagentPlace;
  commands?: AgentCommands;
  /** A file name in which `idIn` finds the session's id, in any folder. */
  copyName(sessionId: string): string;
  /** Where the agent finds a session's transcript from a folder. */
  restorePath?(home: string, sessionId: string, cwd: string): string;
  /** A record of a copy that ends at a turn; null: as it is. Absent if the agent cannot resume such a copy. */
  copiedRow?(row: Row, copy: CopyFacts, isFirst: boolean): Row | null;
  /** The records of a session with another agent's conversation. Absent if the agent cannot resume it. */
  createdRows?(request: CreateRequest): Row[];
}

interface CopyFacts {
  sessionId: string;
  cwd: string;
  /** The path of the original. */
  origin: string;
  now: string;
}
