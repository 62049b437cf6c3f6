import type { SessionPayload } from '../../domain/point/point.ts';
import type { LexicalTokenizer } from '../../domain/search/lexical.ts';
import type { Agent } from '../../domain/session/session.ts';
import type { ForkJournal, ForkWay } from '../../ports/fork-journal.ts';
import type { ContextFiles } from '../../ports/machine.ts';
import type { AgentThreads } from '../../ports/transcript-source.ts';
import type { RestoreDependencies } from '../archive/restore-session.ts';
import type { ReadDependencies } from '../read/retrieve-session.ts';
import type { SessionLocation } from '../sessions/locate-session.ts';

export interface ForkDependencies extends ReadDependencies, RestoreDependencies {
  tokenizer: LexicalTokenizer;
  journal: ForkJournal;
  files: ContextFiles;
  /** Agents whose own programs create sessions; absent if there are none. */
  threads?: Partial<Record<Agent, AgentThreads>>;
  removeTranscript(path: string): void;
  newId(): string;
}

export interface ForkRequest {
  session: SessionPayload;
  /** As `prepareFork` found it. */
  location: SessionLocation;
  /** What the user wants to do. It decides which parts of the context `inject` passes on. */
  query: string | null;
  /** Rank in the results, from 1; null if the user named the session. */
  rank: number | null;
  /** The last turn of the fork, from 1; null: the session's last turn. */
  turn: number | null;
  /** The agent to start; null: the session's own. */
  into: Agent | null;
  /** Pass the context as text even if the agent could fork the session. */
  inject: boolean;
  name: string | null;
  /** Where the fork starts if neither the session's own folder nor its repository is on this machine. */
  currentDirectory: string;
}

/** A fork that can be started. */
export interface ReadyFork {
  way: ForkWay;
  agent: Agent;
  words: string[];
  /** Where to start the agent. */
  directory: string;
  /** A command that must run first. */
  first: string[] | null;
  /** One shell line that does everything. */
  command: string;
  /** The last turn of the fork, from 1; null: the whole session. */
  turn: number | null;
  /** The new session's id, if known. */
  resultSessionId: string | null;
  /** Sentences for the user about differences from what was asked for. */
  notes: string[];
}
