import type { Problem } from '../domain/errors.ts';
import type { Notice } from '../domain/search-result.ts';
import type { ServerLayout } from '../domain/server-state.ts';
import type { PointStore, SessionChange, StoredModel, Written } from './point-store.ts';

/** Marks a forgotten session: no machine sends it again. */
export interface Tombstone {
  session_id: string;
  /** Name of the machine that forgot it. */
  machine: string;
  /** ISO 8601 UTC by that machine's clock. */
  forgotten_at: string;
}

/** A part of a transcript's bytes, or the manifest that names a session's parts. */
export interface ArchivePoint {
  /** `archiveId`. */
  id: string;
  sessionId: string;
  kind: 'part' | 'manifest';
  /** In plain, even if the server stores them encrypted. */
  bytes: Uint8Array;
}

/** Brings a session's transcript up to date. */
export interface ArchiveCommit {
  sessionId: string;
  /** The newest parts, sent together with the manifest. */
  last: ArchivePoint[];
  manifest: ArchivePoint;
  /** Ids of all parts that the manifest names. */
  named: string[];
  /** Parts whose bytes are the beginning of a named one. They may stay a while. */
  superseded: string[];
  /** Other parts may exist and must be deleted at once. */
  cleans: boolean;
}

/** Transcripts that are sent together with sessions. */
export interface TranscriptsToSend {
  /** Their sessions, with the content_hash that each has on the server or gets in the same write. */
  of: { sessionId: string; contentHash: string }[];
  /** Called for those that may be sent, with the stored manifest. Null: nothing to do. */
  prepare(sessionId: string, manifest: ArchivePoint | null): Promise<ArchiveCommit | null>;
}

/** What a write may carry besides sessions. */
export interface SharedWrite {
  transcripts?: TranscriptsToSend;
  /** Parts of transcripts to delete: no manifest names them any more. */
  superseded?: string[];
}

/** `conflicts` includes sessions of which the transcript alone was sent. */
export interface SharedWritten extends Written {
  /** Id of the store; null if there was nothing to write. */
  storeId: string | null;
  /** Parts that still exist although no manifest names them: a later write may delete them. */
  superseded: string[];
}

export interface RemoteDescription {
  /** The server's address, without anything secret. */
  address: string;
  collection: string;
  /** Null if the server does not say. */
  version: string | null;
}

/**
 * A store that several machines share.
 *
 * - `write` does not change a session that has a tombstone, and reports a conflict. A transcript's manifest is part of its
 *   session and replaced together with it: a reader finds the old state or the new one. If the session is not among the changes, its
 *   manifest is replaced only while the session has the given content_hash; otherwise that is a conflict too.
 * - `deleteSessions` deletes all points of the sessions, parts of transcripts included; tombstones stay.
 * - Callers see plain sessions, hashes and texts, even if the server stores them encrypted.
 * - Archive points are in no search, list or count.
 */
export interface RemoteStore extends PointStore {
  /** Absent when machines embed. */
  embedding?: StoreEmbedding;
  describe(): Promise<RemoteDescription>;
  /** How the collection is spread; null if it is not. Answers although a node is lost and nothing can be searched. */
  layout(): Promise<ServerLayout | null>;
  /** Notices about the answers since the last call, for example that data of a session was left out. */
  notices(): Notice[];
  /** Adds a session to what `notices` tells. */
  noteDamage(sessionId: string): void;
  /** The store's id, and all tombstones. */
  handshake(): Promise<{ storeId: string; tombstones: Tombstone[] }>;
  /** Writes tombstones, then deletes. */
  forgetSessions(tombstones: Tombstone[]): Promise<void>;
  /** Removes tombstones. */
  liftTombstones(sessionIds: string[]): Promise<void>;
  /** Of these sessions; all if undefined. */
  tombstones(sessionIds?: string[]): Promise<Tombstone[]>;
  /** `write`, with transcripts. */
  send(changes: SessionChange[], along: SharedWrite): Promise<SharedWritten>;
  /** Sends parts ahead of their manifest, when they are too many for one request. */
  putArchive(points: ArchivePoint[]): Promise<void>;
  /** Existing parts, in no particular order. */
  getArchive(ids: string[]): Promise<ArchivePoint[]>;
  /** The ids of existing parts. */
  hasArchive(ids: string[]): Promise<Set<string>>;
  /** Manifests of these sessions; of all if undefined. */
  manifests(sessionIds?: string[]): Promise<ArchivePoint[]>;
}

/** A server that embeds texts as they are written. Texts it refuses are stored without a vector. */
export interface StoreEmbedding {
  model: StoredModel;
  /** Embeds at most `limit` points without a vector, newest sessions first. */
  embedPending(limit: number, signal?: AbortSignal): Promise<PendingReport>;
}

export interface PendingReport {
  embedded: number;
  refused: Problem | null;
}

/**
 * A collection of the first, Python smart-fork: one unnamed vector of 384 dimensions, texts in the payloads. It is only
 * read. Points that the Python program did not write are skipped.
 */
export interface LegacyCollection {
  /** Page by page, in no particular order; of all sessions unless some are named. */
  points(what: { texts: boolean; sessionIds?: string[] }): AsyncGenerator<LegacyPoint[]>;
  close(): void;
}

export interface LegacyPoint {
  id: string;
  /** `intent`: user messages. `chunk`: the conversation, in pieces of about 4 KB: `USER: …` and `ASSISTANT: …`. */
  type: 'intent' | 'chunk';
  session_id: string;
  repo_id: string;
  repo_name: string;
  /** Only intents have a path and a time. */
  repo_path: string | null;
  machine: string | null;
  /** ISO 8601. */
  timestamp: string | null;
  /** `sha256:` of the whole transcript. */
  content_hash: string | null;
  chunk_index: number;
  /** Not redacted. Null unless texts were requested. */
  text: string | null;
}
