import type { Problem } from '../domain/errors.ts';
import type { TagChange } from '../domain/tags/tag-change.ts';
import type { PointStore } from './point-store.ts';

/**
 * This machine's own store. A write also records, in the same transaction, that the session must be sent: a crash leaves both or
 * neither.
 */
export interface LocalStore extends PointStore {
  /** The ids next to each of these in the order of all ids: none shares a longer beginning with it. */
  idsNextTo(sessionIds: string[]): Promise<string[]>;
  /** Updates the token streams of sessions that grew; returns how many. */
  refresh(signal?: AbortSignal): Promise<number>;
  /** Writes that came from the server: they are not sent back. */
  received: Pick<PointStore, 'write' | 'deleteSessions' | 'setTags' | 'setVectors'>;
}

/**
 * Pending changes to one session. Texts and vectors are not listed: what to send follows from what the server is known to
 * have (`Outbox.unsent`).
 */
export interface PendingChange {
  /** Texts or the record changed. */
  texts: boolean;
  /** It is not known which texts the server has: they are compared. */
  whole: boolean;
  /** Points got vectors. */
  vectors: boolean;
  tags: TagChange | null;
  /** Delete this machine's copy there before anything else. */
  removed: boolean;
  /** Leave a tombstone, so that no machine brings it back. */
  forgotten: Forgotten | null;
  /** Remove the tombstone: the user asked for the session by name. */
  revived: boolean;
  /** The transcript changed. */
  archive: boolean;
}

export interface OutboxEntry extends PendingChange {
  /** On the server. */
  sessionId: string;
  /** Rises with every change, and is never used twice. */
  revision: number;
  /** When the first change was made, in milliseconds. */
  since: number;
  tries: number;
  /** Why the server refused this session. */
  reason: string | null;
}

export type OutboxChange = { sessionId: string } & Partial<PendingChange>;

export interface Forgotten {
  machine: string;
  forgottenAt: string;
}

/** An entry that was sent, as it was read. */
export interface DoneEntry {
  sessionId: string;
  revision: number;
  /** Defers the transcript until this time, in milliseconds since the epoch. */
  deferredUntil?: number | undefined;
  /** Whether the server now has every vector of this revision; absent if vectors were not checked. */
  hasVectors?: boolean | undefined;
}

/** What the server has of a session, as far as this machine knows. */
export interface SentSession {
  /** In the local store. */
  sessionId: string;
  /** On the server: differs when the copies of two machines diverged. */
  remoteId: string;
  /** content_hash of its session point there; empty when that is not this machine's copy. */
  contentHash: string;
}

/** Ids of points in the local store; null: unknown, so the copies are compared. */
export interface UnsentPoints {
  texts: string[] | null;
  vectors: string[] | null;
}

/** The server's embedding service refused. */
export interface EmbeddingPause extends Problem {
  /** Milliseconds since the epoch. */
  until: number;
  tries: number;
}

/** Why nothing is sent at the moment. */
export interface OutboxPause extends EmbeddingPause {
  /** The server asked for it. */
  asked: boolean;
}

/** What this machine remembers about the server. */
export interface ServerNotes {
  /** The store that `sent` is about; null before the first handshake. */
  storeId: string | null;
  /** When the server was last asked which store it is and what was forgotten, in milliseconds. */
  handshakeAt: number | null;
  pause: OutboxPause | null;
  embeddingPause: EmbeddingPause | null;
  /** Sessions with an unfinished transcript upload: the server may have parts that no manifest names. */
  begun: string[];
  /** Parts of transcripts on the server that no manifest names any more. */
  superseded: string[];
}

export interface OutboxCounts {
  /** Sessions to be sent, except those with only a deferred transcript. */
  waiting: number;
  /** Of those, the ones that the server refused. */
  failing: number;
  /** When the oldest change was made, in milliseconds; null when nothing is pending. */
  since: number | null;
  /** When the first deferred transcript is due, in milliseconds; null when there is none. */
  deferredUntil: number | null;
}

/**
 * Changes that this machine has not sent to the server yet, one entry per session. The local store writes the entries, in the transaction that
 * changes the session and in the same file. Safe to use from several processes at once.
 * @throws SmartForkError STORE_UNAVAILABLE
 */
export interface Outbox {
  /** For changes that the local store does not record. `whole` discards what is known about the server's copy. */
  add(changes: OutboxChange[]): void;
  /** Entries that may be sent now, oldest first. */
  due(limit: number): OutboxEntry[];
  get(sessionIds: string[]): OutboxEntry[];
  /** Ids of the sessions that `counts` counts as waiting. */
  waiting(): string[];
  /** Points of a session in the local store that the server lacks or may lack. */
  unsent(localId: string): UnsentPoints;
  /** Drops entries unless they changed since, and notes what the server has now. */
  done(entries: DoneEntry[], sent: SentSession[]): void;
  /** The server refused this entry: it is retried, later each time. */
  fail(entry: OutboxEntry, reason: string): void;
  /** Makes deferred transcripts due, and with `all` also entries waiting for a retry. */
  wake(which: 'deferred' | 'all'): void;
  counts(): OutboxCounts;
  server: ServerRecord;
  close(): void;
}

/** What this machine knows about the server and the sessions it has there. */
export interface ServerRecord {
  sent(sessionIds: string[]): SentSession[];
  /** Sessions that have a different id on the server. */
  renamed(): SentSession[];
  notes(): ServerNotes;
  note(patch: Partial<ServerNotes>): void;
  /** Starts with another store on the server: nothing is known about it, and every session is compared. */
  reset(storeId: string): void;
}
