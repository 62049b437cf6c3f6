import type { ChunkerState } from '../domain/point/chunking.ts';
import type { IntentState } from '../domain/point/intents.ts';
import type { SessionDraft } from '../domain/session/draft.ts';

/** How far one transcript has been read, and what is needed to go on from there. */
export interface Cursor {
  path: string;
  sessionId: string;
  /** Of the store that holds what was read; cursors of another store are worth nothing. */
  storeId: string;
  /** Names the chunk sizes and the version of the reading rules. */
  chunking: string;
  size: number;
  mtimeMs: number;
  inode: number;
  /** What the agent calls the session, where it keeps that beside the transcript. */
  name: string | null;
  /** content_hash of the session point as it was written. */
  contentHash: string;
  progress: ReadingProgress;
}

/** Plain data. */
export interface ReadingProgress {
  offset: number;
  lines: number;
  /** Digests of the parts that were read (see `TranscriptSource.digest`). */
  parts: string[];
  inheritedBytes: number;
  fingerprint: string | null;
  turn: number;
  draft: SessionDraft;
  chunker: ChunkerState;
  intents: IntentState;
  markers: string[];
  skipped: Record<string, number>;
}

/** What tells a changed file from an unchanged one. */
export type FileStamp = Pick<Cursor, 'size' | 'mtimeMs' | 'inode' | 'name'>;

/**
 * This machine's own notes on its transcripts (`state.db`). But for what was forgotten nothing in it is needed to be right: without it
 * everything is read again. Safe to use from several processes at once.
 */
export interface IndexState extends ForgottenSessions {
  get(path: string): Cursor | null;
  /** Stamps of all files that were read into a store with these chunk sizes. */
  stamps(storeId: string, chunking: string): Map<string, FileStamp>;
  /** Replaces what is known of each session: of its copies, the one that was read last counts. */
  put(cursors: Cursor[]): void;
  forgetAll(): void;
  /** Paths whose transcripts begin with the same message. */
  sharing(fingerprint: string): { path: string; sessionId: string }[];
  /** When an index run last ended, ISO 8601. */
  lastSynced(): string | null;
  setLastSynced(time: string): void;
  /** Name of the privacy rules that were last applied to all that is stored. */
  appliedRules(): string | null;
  setAppliedRules(name: string): void;
  close(): void;
}

/** A session that was forgotten, by the id that it has on a server, where there is one. */
export interface ForgottenSession {
  sessionId: string;
  /** ISO 8601 UTC. */
  forgottenAt: string;
  /** The store on a server that has its tombstone; null: none was told yet. */
  storeId: string | null;
}

/** This machine's own memory of what was forgotten, with or without a server (`state.db`): its transcripts are not indexed again. */
export interface ForgottenSessions {
  forgotten(): ForgottenSession[];
  /** Those that are known keep their time. */
  noteForgotten(sessionIds: string[], forgottenAt: string, storeId: string | null): void;
  /** They may be indexed again. */
  dropForgotten(sessionIds: string[]): void;
  /** Takes out what was noted of how far their transcripts were read; it holds texts. */
  forgetSessions(sessionIds: string[]): void;
}
