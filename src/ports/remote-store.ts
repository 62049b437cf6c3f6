import type { Problem } from '../domain/errors.ts';
import type { PointStore, SessionChange, StoredModel, Written } from './point-store.ts';

/** A session that was forgotten: no machine brings it back. */
export interface Tombstone {
  session_id: string;
  /** Name of the machine it was forgotten on. */
  machine: string;
  /** ISO 8601 UTC, by that machine's clock. */
  forgotten_at: string;
}

/** A part of a transcript's own bytes, or the manifest that names a session's parts. */
export interface ArchivePoint {
  /** `archiveId`. */
  id: string;
  sessionId: string;
  kind: 'part' | 'manifest';
  /** Handed back as they are, whatever the server gets to see. */
  bytes: Uint8Array;
}

/** What brings a session's transcript up to date. */
export interface ArchiveCommit {
  sessionId: string;
  /** Parts that came last: they go with the manifest. */
  last: ArchivePoint[];
  manifest: ArchivePoint;
  /** Ids of all parts that it names. */
  named: string[];
  /** Parts whose bytes are the beginning of one that is named: they may stay a while. */
  outgrown: string[];
  /** Others than these may be there, and are to go at once. */
  cleans: boolean;
}

/** Transcripts that are sent along with sessions. */
export interface TranscriptsToSend {
  /** Their sessions, with the content_hash that each has on the server or gets by the same write. */
  of: { sessionId: string; contentHash: string }[];
  /** Called for those that may be sent, with the manifest that is there. Null: nothing is to be done. */
  prepare(sessionId: string, manifest: ArchivePoint | null): Promise<ArchiveCommit | null>;
}

/** What goes along with a write. */
export interface SharedWrite {
  transcripts?: TranscriptsToSend;
  /** Parts of transcripts that nothing names any more. */
  outgrown?: string[];
}

/** Conflicts are of transcripts, too. */
export interface SharedWritten extends Written {
  /** Of the store that was written to; null when nothing was to be written. */
  storeId: string | null;
  /** Parts that nothing names and that are still there: any later write may delete them. */
  outgrown: string[];
}

export interface RemoteDescription {
  /** The server's address, without what may be secret in it. */
  address: string;
  collection: string;
  /** Null when the server does not say. */
  version: string | null;
}

/**
 * A store that several machines share.
 *
 * - `write` leaves a session alone that has a tombstone, and reports it as a conflict. A transcript's manifest is part of its
 *   session and replaced together with it: a reader finds the old state or the new one. Of a session that is not among the changes, it is
 *   replaced only while the session has the given content_hash; else that is a conflict too.
 * - `deleteSessions` takes all points of the sessions, archived parts too; tombstones stay.
 * - Sessions, hashes and texts are the caller's own, whatever the server gets to see.
 * - Archive points are in no search, list or count.
 */
export interface RemoteStore extends PointStore {
  /** Absent when machines embed. */
  embedding?: StoreEmbedding;
  describe(): Promise<RemoteDescription>;
  /** Which store it is, and all that was forgotten. */
  greet(): Promise<{ storeId: string; tombstones: Tombstone[] }>;
  /** Leaves tombstones, then deletes. */
  forgetSessions(tombstones: Tombstone[]): Promise<void>;
  /** Lets sessions come back. */
  liftTombstones(sessionIds: string[]): Promise<void>;
  /** Of these sessions; all there are, unless given. */
  tombstones(sessionIds?: string[]): Promise<Tombstone[]>;
  /** `write`, with what goes along. */
  send(changes: SessionChange[], along: SharedWrite): Promise<SharedWritten>;
  /** Parts that are too many for one request go ahead of their manifest. */
  putArchive(points: ArchivePoint[]): Promise<void>;
  /** Parts that are there, in no order. */
  getArchive(ids: string[]): Promise<ArchivePoint[]>;
  /** Which of these parts are there. */
  hasArchive(ids: string[]): Promise<Set<string>>;
  /** The manifests of these sessions; of all, unless given. */
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
