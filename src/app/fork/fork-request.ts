import type { Agent } from '../../domain/agent/agents.ts';
import type { SessionPayload } from '../../domain/point/point.ts';
import type { LexicalTokenizer } from '../../domain/search/lexical.ts';
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
  /** Whether smart-fork itself starts the agent once, and so can choose the session id. */
  startNow: boolean;
  /** Whether to write the fork's files into the agent's folders now; otherwise the command does so when it runs. */
  writeNow: boolean;
}

/** What it takes to start a fork. */
export interface Start {
  way: ForkWay;
  agent: Agent;
  words: string[];
  /** Null: any folder. */
  directory: string | null;
  /** A command that must run first. */
  first: string[] | null;
  turn: number | null;
  /** The new session's id, if known. */
  resultSessionId: string | null;
  /** Sentences for the user about differences from what was asked for. */
  notes: string[];
  /** For a fork at a turn: the copy's size in bytes. */
  copiedBytes: number | null;
  /** Removes the files written for it. */
  discard(): void;
}

export function folderOf({ location, currentDirectory }: ForkRequest): string {
  return location.directory ?? currentDirectory;
}

export function startOptions(name: string | null, sessionId: string | null) {
  return { name: name ?? undefined, sessionId: sessionId ?? undefined };
}
