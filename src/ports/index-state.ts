import type { ChangeMark } from '../domain/agent/change-mark.ts';
import type { MemoryState } from '../domain/memory/extract/memory-state.ts';
import type { OwnTurnState } from '../domain/own/own-turns.ts';
import type { ChunkerState } from '../domain/point/chunking.ts';
import type { IntentState } from '../domain/point/intents.ts';
import type { SessionDraft } from '../domain/session/draft.ts';
import type { FileReason, UnreadFile } from '../domain/session/unread.ts';
import type { ModelNotes } from './extractor/model-notes.ts';
import type { TurnCopies } from './fork-journal.ts';
import type { UsageRecords } from './usage/usage-records.ts';

/** How far a transcript has been read, and the state needed to continue. */
export interface Cursor extends ChangeMark {
  /** A SourceReference. */
  path: string;
  sessionId: string;
  /** The store that the transcript was read into. A cursor for another store is void. */
  storeId: string;
  /** Names the chunk sizes and the version of the readers. */
  chunking: string;
  /** A mark of the agent's name for the session, if that is stored outside the transcript. */
  name: string | null;
  /** content_hash of the session point as written. */
  contentHash: string;
  progress: ReadingProgress;
  /** When it was written, ISO 8601 UTC. */
  indexedAt?: string;
}

/** How far a transcript has been processed; plain data. */
export interface ReadingProgress {
  /** Where the next read starts: a Position of the source. */
  offset: number;
  /** Bytes before it, if it is not a byte offset. */
  bytes?: number;
  lines: number;
  /** Digests of the parts read so far (see `TranscriptSource.digest`). */
  parts: string[];
  inheritedBytes: number;
  fingerprint: string | null;
  turn: number;
  /** State of the turn that is still open. */
  ownTurn: OwnTurnState;
  draft: SessionDraft;
  /** The session's given name that is among its intents; absent without one. */
  named?: string;
  chunker: ChunkerState;
  intents: IntentState;
  markers: string[];
  memory: MemoryState;
  skipped: Record<string, number>;
  /** A reread from the beginning: the last step deletes what is left of the session's earlier version. */
  replaces?: true;
  /** By subagent id; absent without subagents. */
  subagents?: Record<string, SubagentProgress>;
}

/** The state of a subagent's transcript when it was read, and the range of its chunk indexes. */
export interface SubagentProgress {
  size: number;
  mtimeMs: number;
  first: number;
  chunks: number;
  /** Lines that were not read, by reason; absent if there are none. */
  skipped?: Record<string, number>;
}

/** Detects a changed file. */
export type FileStamp = ChangeMark & Pick<Cursor, 'name'>;

/**
 * This machine's notes about its transcripts (`state.db`). They are a cache, except for forgotten sessions and a model's ideas: without
 * them every transcript is read again. Safe for concurrent use by several processes.
 */
export interface IndexState extends ForgottenSessions, TurnCopies, UsageRecords, ModelNotes, UnreadNotes {
  get(path: string): Cursor | null;
  /** The cursor of a session's transcript. It survives the deletion of the transcript. */
  ofSession(sessionId: string): Cursor | null;
  /** Stamps of all files read into a store with these chunk sizes. */
  stamps(storeId: string, chunking: string): Map<string, FileStamp>;
  /** Ids of the sessions read into a store, by whatever rules or by these. */
  sessionsRead(storeId: string, chunking?: string): Set<string>;
  /** Replaces the cursors of each session. If a session has several transcripts, the last one read wins. */
  put(cursors: Cursor[]): void;
  /** By session: when what was read of it was last written. */
  indexedAt(): Map<string, string>;
  forgetAll(): void;
  /** Transcripts that begin with the same message. */
  withFingerprint(fingerprint: string): { path: string; sessionId: string }[];
  /** When an index run last ended, ISO 8601. */
  lastSynced(): string | null;
  setLastSynced(time: string): void;
  /** Name of the privacy rules last applied to the whole index. */
  appliedRules(): string | null;
  setAppliedRules(name: string): void;
  close(): void;
}

/** What was not read when transcripts were last looked for and read. */
export interface UnreadNotes {
  /** By file and reason. The lines of a session's cursor, those of its subagents included, count as of its transcript. */
  unread(): UnreadFile[];
  /** Ids of the sessions whose transcript could not be read. */
  unreadable(): string[];
  /** Replaces the files that are not read, after a look at all of them. */
  noteUnreadFiles(files: { path: string; reason: FileReason }[]): void;
  /** A session's transcript could not be read; until it can. */
  noteUnreadable(path: string, sessionId: string): void;
}

/** A forgotten session, under its id on the server if it has one there. */
export interface ForgottenSession {
  sessionId: string;
  /** ISO 8601 UTC. */
  forgottenAt: string;
  /** The id of the server store that has its tombstone; null if no server has been told yet. */
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
   * Deletes everything that came from the sessions: cursors, a model's ideas, token usage, and the queries that led to forks of
   * them. `chosen`: their ids in the searched store, where those differ. Returns false if the text may remain in the file's log until
   * another process has finished reading.
   */
  forgetSessions(sessionIds: string[], chosen?: string[]): boolean;
}
