import type { PointStore } from './point-store.ts';

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

/** A manifest is put in place together with the parts that came last; parts that it does not name go. */
export interface ArchiveCommit {
  sessionId: string;
  last: ArchivePoint[];
  manifest: ArchivePoint;
  /** Ids of all parts that it names. */
  named: string[];
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
 * - `write` leaves a session alone that has a tombstone, and reports it as a conflict.
 * - `deleteSessions` takes all points of the sessions, archived parts too; tombstones stay.
 * - Sessions, hashes and texts are the caller's own, whatever the server gets to see.
 * - Archive points are in no search, list or count.
 */
export interface RemoteStore extends PointStore {
  describe(): Promise<RemoteDescription>;
  /** Leaves tombstones, then deletes. */
  forgetSessions(tombstones: Tombstone[]): Promise<void>;
  /** Lets sessions come back. */
  liftTombstones(sessionIds: string[]): Promise<void>;
  /** Of these sessions; all there are, unless given. */
  tombstones(sessionIds?: string[]): Promise<Tombstone[]>;
  putArchive(points: ArchivePoint[]): Promise<void>;
  /** Parts first, deleting last: a reader finds what was there before or what is now. The session says from then on that it is archived. */
  commitArchive(commit: ArchiveCommit): Promise<void>;
  /** Those that are there, in no order. */
  getArchive(ids: string[]): Promise<ArchivePoint[]>;
  /** Which of these points are there. */
  hasArchive(ids: string[]): Promise<Set<string>>;
  /** The manifests of all sessions. */
  listArchive(): Promise<ArchivePoint[]>;
  deleteArchive(sessionIds: string[]): Promise<void>;
}
