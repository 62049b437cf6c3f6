import type { MemoryState } from '../domain/memory/extract/memory-state.ts';
import type { OwnTurnState } from '../domain/own/own-turns.ts';
import type { ChunkerState } from '../domain/point/chunking.ts';
import type { IntentState } from '../domain/point/intents.ts';
import type { SessionDraft } from '../domain/session/draft.ts';
import type { ModelNotes } from './extractor/model-notes.ts';
import type { TurnCopies } from './fork-journal.ts';
import type { UsageRecords } from './usage/usage-records.ts';

/** How far a transcript has been read, and the state needed to continue. */
export interface Cursor {
  path: string;
  sessionId: string;
  /** The store that the transcript was read into. A cursor of another store is void. */
  storeId: string;
  /** Names the chunk sizes and the version of the readers. */
  chunking: string;
  size: number;
  mtimeMs: number;
  inode: number;
  /** The agent's name for the session, if stored outside the transcript. */
  name: string | null;
  /** content_hash of the session point as written. */
  contentHash: string;
  progress: ReadingProgress;
}

/** Plain data. */
export interface ReadingProgress {
  offset: number;
  lines: number;
  /** Digests of the parts read so far (see `TranscriptSource.digest`). */
  parts: string[];
  inheritedBytes: number;
  fingerprint: string | null;
  turn: number;
  /** The turn that may go on. */
  ownTurn: OwnTurnState;
  draft: SessionDraft;
  chunker: ChunkerState;
  intents: IntentState;
  markers: string[];
  /** Absent in progress of older versions. */
  memory?: MemoryState;
  skipped: Record<string, number>;
  /** Read from the beginning over an earlier version of the session: what is left of that goes with the last step. */
  replaces?: true;
  /** By the subagents' ids; absent in progress of older versions, and without subagents. */
  subagents?: Record<string, SubagentProgress>;
}

/** How a subagent's transcript was when it was read, and the indexes of its chunks. */
export interface SubagentProgress {
  size: number;
  mtimeMs: number;
  first: number;
  chunks: number;
}

/** Detects a changed file. */
export type FileStamp = Pick<Cursor, 'size' | 'mtimeMs' | 'inode' | 'name'>;

/**
 * This machine's notes on its transcripts (`state.db`). Except for forgotten sessions and a model's ideas they are a cache: without them every
 * transcript is read again. Safe for concurrent use by several processes.
 */
export interface IndexState extends ForgottenSessions, TurnCopies, UsageRecords, ModelNotes {
  get(path: string): Cursor | null;
  /** The cursor of a session's transcript, which stays when the agent deletes that. */
  ofSession(sessionId: string): Cursor | null;
  /** Stamps of all files read into a store with these chunk sizes. */
  stamps(storeId: string, chunking: string): Map<string, FileStamp>;
  /** Replaces the cursors of each session. Of several copies, the one read last counts. */
  put(cursors: Cursor[]): void;
  forgetAll(): void;
  /** Paths of transcripts that begin with the same message. */
  withFingerprint(fingerprint: string): { path: string; sessionId: string }[];
  /** When an index run last ended, ISO 8601. */
  lastSynced(): string | null;
  setLastSynced(time: string): void;
  /** Name of the privacy rules last applied to the whole index. */
  appliedRules(): string | null;
  setAppliedRules(name: string): void;
  close(): void;
}

/** A forgotten session, by its id on the server if there is one. */
export interface ForgottenSession {
  sessionId: string;
  /** ISO 8601 UTC. */
  forgottenAt: string;
  /** The store on a server that has its tombstone; null: no server has been told yet. */
  storeId: string | null;
}

/** Sessions forgotten on this machine, with or without a server (`state.db`). Their transcripts are not indexed again. */
export interface ForgottenSessions {
  forgotten(): ForgottenSession[];
  /** Sessions already noted keep their time. */
  noteForgotten(sessionIds: string[], forgottenAt: string, storeId: string | null): void;
  /** Allows indexing them again. */
  dropForgotten(sessionIds: string[]): void;
  /**
   * Deletes the sessions' cursors and what a model found in them, which contain text, what they used, and the queries after which
   * they were forked; `chosen` are their ids in the store that was searched, if it has other ones. False if the text may stay in
   * the file's log until another process has finished reading.
   */
  forgetSessions(sessionIds: string[], chosen?: string[]): boolean;
}
