import type { PointStore } from './point-store.ts';

/** A session that was forgotten: no machine brings it back. */
export interface Tombstone {
  session_id: string;
  /** Name of the machine it was forgotten on. */
  machine: string;
  /** ISO 8601 UTC, by that machine's clock. */
  forgotten_at: string;
}

/** A part of a transcript's own bytes. */
export interface ArchivePoint {
  id: string;
  payload: { type: 'archive'; session_id: string } & Record<string, unknown>;
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
  getArchive(ids: string[]): Promise<ArchivePoint[]>;
  deleteArchive(ids: string[]): Promise<void>;
}
