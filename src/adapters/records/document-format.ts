import type { Agent } from '../../domain/agent/agents.ts';
import type { AgentCommands } from '../../ports/agent/agent-commands.ts';
import type { CreateRequest } from '../../ports/agent/conversation.ts';
import type { CutRequest, OnProblem, SkippedLine, TranscriptFile } from '../../ports/transcript-source.ts';
import type { Row, RowFormat, SessionAbout } from './row-format.ts';

/** A whole session: a list of records that later ones may have changed. */
export interface SessionDocument {
  about: SessionAbout;
  rows: Row[];
  /** The ids of records that the user took back. They cost tokens, and can be found. */
  rewound?: Set<string>;
  /** The ids of records that the agent has forgotten in a compaction. */
  compacted?: Set<string>;
  /** What is in the file and in no record. */
  unread: SkippedLine[];
  /** The lines before a position in which the session is archived, if it is in a database. */
  lines?(end: number): string[];
}

/**
 * An agent whose sessions change in the middle: files that are rewritten, or whose records replace earlier ones. A position is a number
 * of records, and a session that changed is read again from its beginning.
 */
export interface DocumentFormat extends RowFormat {
  agent: Agent;
  folders(home: string): string[];
  /** The sessions in a home, with marks that show whether they changed. Reads no conversation. */
  find(home: string, onProblem?: OnProblem): TranscriptFile[];
  /** The session in a file, which may be a copy outside the agent's folders; null if this agent did not write it. */
  inspect(path: string): TranscriptFile | null;
  /** @throws SmartForkError TRANSCRIPT_UNREADABLE */
  load(path: string): SessionDocument;
  /** What `load` says about the session, if that can be had without loading it. */
  about?(path: string): Pick<SessionAbout, 'fingerprint' | 'cwd'>;
  commands?: AgentCommands;
  /** Sessions are rows of a database, and archived as the `lines` of their documents. */
  inDatabase?: true;
  /** A file name that `inspect` accepts in any folder. */
  copyName(sessionId: string): string;
  /** See `TranscriptBytes.comparableText`. */
  comparableText?(text: string): string;
  /** Where a subagent's transcript is, beside its session's; absent if the agent has no subagents with transcripts. */
  subagentPath?(path: string, agentId: string): string;
  restorePath?(home: string, sessionId: string, cwd: string): string;
  /** A session's parent, if only its siblings tell. */
  parentAmong?(document: SessionDocument, siblings: TranscriptFile[]): SessionAbout['parent'];
  /** The text of a copy with the session's first records. Absent if the agent cannot resume a copy. */
  copyOf?(document: SessionDocument, request: CutRequest, origin: string): string;
  /** The text of a session with another agent's conversation. Absent if the agent cannot resume it. */
  createdText?(request: CreateRequest): string;
}
