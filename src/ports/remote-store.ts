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
  /** Unencrypted, even if the server stores them encrypted. */
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
  /** Parts whose bytes are a prefix of a named part. They may stay for a while. */
  superseded: string[];
  /** Unnamed parts may exist and must be deleted at once. */
  cleans: boolean;
}

/** Transcripts sent together with sessions. */
export interface TranscriptsToSend {
  /** Their sessions, with the content_hash that each has on the server or gets in the same write. */
  of: { sessionId: string; contentHash: string }[];
  /** Called with the stored manifest for each transcript that may be sent. Null: nothing to do. */
  prepare(sessionId: string, manifest: ArchivePoint | null): Promise<ArchiveCommit | null>;
}

/** What a write may carry besides sessions. */
export interface SharedWrite {
  transcripts?: TranscriptsToSend;
  /** Transcript parts that no manifest names any more, to be deleted. */
  superseded?: string[];
}

/** `conflicts` includes sessions for which only the transcript was sent. */
export interface SharedWritten extends Written {
  /** Id of the store; null if there was nothing to write. */
  storeId: string | null;
  /** Parts that no manifest names any more but still exist: a later write may delete them. */
  superseded: string[];
}

interface RemoteDescription {
  /** The server's address, without credentials. */
  address: string;
  collection: string;
  /** Null if the server does not say. */
  version: string | null;
}

/**
 * A store shared by several machines.
 *
 * - `write` does not change a session that has a tombstone; it reports a conflict. A transcript's manifest is part of its session and
 *   replaced together with it, so a reader sees the old state or the new one. If the session is not among the changes, its manifest
 *   is replaced only while the session has the given content_hash; otherwise that is a conflict too.
 * - `deleteSessions` deletes all points of the sessions, transcript parts included; tombstones stay.
 * - Callers see plain sessions, hashes and texts, even if the server stores them encrypted.
 * - No search, list or count includes archive points.
 */
export interface RemoteStore extends PointStore {
  /** Absent when the machines embed. */
  embedding?: StoreEmbedding;
  describe(): Promise<RemoteDescription>;
  /** How the collection is distributed; null if it is not. Answers even if a lost node makes searching impossible. */
  layout(): Promise<ServerLayout | null>;
  /** Notices about the answers since the last call, such as session data that was left out. */
  notices(): Notice[];
  /** Records a damaged session, for `notices`. */
  noteDamage(sessionId: string): void;
  /** The store's id, and all tombstones. */
  handshake(): Promise<{ storeId: string; tombstones: Tombstone[] }>;
  /** Writes tombstones, then deletes the sessions. */
  forgetSessions(tombstones: Tombstone[]): Promise<void>;
  liftTombstones(sessionIds: string[]): Promise<void>;
  /** Tombstones of these sessions, or all of them. */
  tombstones(sessionIds?: string[]): Promise<Tombstone[]>;
  /** Like `write`, with transcripts. */
  send(changes: SessionChange[], along: SharedWrite): Promise<SharedWritten>;
  /** Uploads parts ahead of their manifest if they do not fit into one request. */
  putArchive(points: ArchivePoint[]): Promise<void>;
  /** Existing parts, in no particular order. */
  getArchive(ids: string[]): Promise<ArchivePoint[]>;
  /** Which of these parts exist. */
  hasArchive(ids: string[]): Promise<Set<string>>;
  /** Manifests of these sessions, or of the newest ones. */
  manifests(of: string[] | { newest: number }): Promise<ArchivePoint[]>;
}

/** A server that embeds texts as they are written. Texts that it refuses are stored without a vector. */
interface StoreEmbedding {
  model: StoredModel;
  /** Embeds at most `limit` points without a vector, newest sessions first. */
  embedPending(limit: number, signal?: AbortSignal): Promise<PendingReport>;
}

export interface PendingReport {
  embedded: number;
  refused: Problem | null;
}

/**
 * A collection written by the first smart-fork, in Python: one unnamed vector of 384 dimensions, texts in the payloads. Read-only.
 * Points that the Python program did not write are skipped.
 */
export interface LegacyCollection {
  /** Yields pages in no particular order; of all sessions unless some are named. */
  points(what: { texts: boolean; sessionIds?: string[] }): AsyncGenerator<LegacyPoint[]>;
  close(): void;
}

export interface LegacyPoint {
  id: string;
  /** `intent`: user messages. `chunk`: the conversation as `USER: …` and `ASSISTANT: …`, in pieces of about 4 KB. */
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
