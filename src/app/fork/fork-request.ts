import type { Agent } from '../../domain/agent/agents.ts';
import type { SessionPayload } from '../../domain/point/point.ts';
import type { LexicalTokenizer } from '../../domain/search/lexical.ts';
import type { ForkJournal } from '../../ports/fork-journal.ts';
import type { ContextFiles } from '../../ports/machine.ts';
import type { RestoreDependencies } from '../archive/restore-session.ts';
import type { ReadDependencies } from '../read/retrieve-session.ts';
import type { SessionLocation } from '../sessions/locate-session.ts';

export interface ForkDependencies extends ReadDependencies, RestoreDependencies {
  tokenizer: LexicalTokenizer;
  journal: ForkJournal;
  files: ContextFiles;
  removeTranscript(path: string): void;
  newId(): string;
}

/** Where a session is, and the folder in which its fork starts. */
export type ForkLocation = SessionLocation & { directory: string };

export interface ForkRequest {
  session: SessionPayload;
  /** As `prepareFork` found it. */
  location: ForkLocation;
  /** The agent to start. */
  agent: Agent;
  /** What the user wants to do. It decides which parts of the context are passed on as text. */
  query: string | null;
  /** Rank in the results, from 1; null if the user named the session. */
  rank: number | null;
  /** The last turn of the fork, from 1; null: the session's last turn. */
  turn: number | null;
  /** Pass the context as text even if the agent could fork the session. */
  inject: boolean;
  name: string | null;
  /** The folder that the user chose; null or absent: by the session. */
  folder?: string | null;
}
