import type { Problem } from '../domain/errors.ts';
import type { Notice } from '../domain/search-result.ts';
import type { TagChange } from '../domain/tags/tag-change.ts';
import type { DamageReader, PointStore } from './point-store.ts';

/**
 * This machine's own store. Each write also records, in the same transaction, that the session must be sent, so a crash leaves both
 * or neither.
 */
export interface LocalStore extends PointStore, DamageReader {
  /** The ids sorted directly before and after each of these. No other id shares a longer prefix with it. */
  idsNextTo(sessionIds: string[]): Promise<string[]>;
  /** The words of sessions that begin with these letters, the most frequent first. */
  wordsBeginningWith(letters: string, limit: number): Promise<string[]>;
  /** What was left out because its record is damaged, since the last call. */
  notices(): Notice[];
  /** Updates the token streams of sessions that grew; returns how many. */
  refresh(signal?: AbortSignal): Promise<number>;
  /** Writes changes that came from the server and must not be sent back. */
  received: Pick<PointStore, 'write' | 'deleteSessions' | 'setTags' | 'setVectors'>;
}

/**
 * Pending changes to one session. Texts and vectors are not listed: what to send follows from what the server is known to
 * have (`Outbox.unsent`).
 */
export interface PendingChange {
  /** Texts or the record changed. */
  texts: boolean;
  /** Unknown which texts the server has, so the copies are compared. */
  whole: boolean;
  /** Points received vectors. */
  vectors: boolean;
  tags: TagChange | null;
  /** First delete this machine's copy on the server. */
  removed: boolean;
  /** Leave a tombstone, so that no machine sends the session again. */
  forgotten: Forgotten | null;
  /** Remove the tombstone: the user asked for the session by name. */
  revived: boolean;
  /** The transcript changed. */
  archive: boolean;
}

export interface OutboxEntry extends PendingChange {
  /** On the server. */
  sessionId: string;
  /** Increases with every change and is never reused. */
  revision: number;
  /** When the first change was made, in milliseconds. */
  since: number;
  tries: number;
  /** Why the server refused this session. */
  reason: string | null;
}

export type OutboxChange = { sessionId: string } & Partial<PendingChange>;

interface Forgotten {
  machine: string;
  forgottenAt: string;
}

/** An entry that was sent, in the state in which it was read. */
export interface DoneEntry {
  sessionId: string;
  revision: number;
  /** Defers the transcript until this time, in milliseconds since the epoch. */
  deferredUntil?: number;
  /** Whether the server now has every vector of this revision; absent if vectors were not checked. */
  hasVectors?: boolean;
}

/** What the server has of a session, as far as this machine knows. */
export interface SentSession {
  /** In the local store. */
  sessionId: string;
  /** On the server: differs when the copies of two machines diverged. */
  remoteId: string;
  /** content_hash of its session point there; empty if the server's copy is not this machine's. */
  contentHash: string;
}

/** Ids of points in the local store; null if unknown, so the copies are compared. */
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

/** What this machine knows about the server. */
export interface ServerNotes {
  /** The store that `sent` is about; null before the first handshake. */
  storeId: string | null;
  /** When the server was last asked which store it is and what was forgotten, in milliseconds. */
  handshakeAt: number | null;
  pause: OutboxPause | null;
  embeddingPause: EmbeddingPause | null;
  /** Sessions with an unfinished transcript upload: the server may have parts that no manifest names. */
  begun: string[];
  /** Transcript parts on the server that no manifest names any more. */
  superseded: string[];
}

interface OutboxCounts {
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
 * Changes that this machine has not sent to the server yet, one entry per session. The local store writes the entries in the transaction
 * that changes the session. Safe to use from several processes at once.
 * @throws SmartForkError STORE_UNAVAILABLE
 */
export interface Outbox {
  /** For changes that the local store does not record. `whole` discards what is known about the server's copy. */
  add(changes: OutboxChange[]): void;
  /** Entries that may be sent now, oldest first. */
  due(limit: number): OutboxEntry[];
  get(sessionIds: string[]): OutboxEntry[];
  /** Ids of the sessions counted in `OutboxCounts.waiting`. */
  waiting(): string[];
  /** A session's points that the server lacks or may lack. */
  unsent(localId: string): UnsentPoints;
  /** Removes entries that have not changed since, and records what the server has now. */
  done(entries: DoneEntry[], sent: SentSession[]): void;
  /** Records that the server refused this entry; it is retried, later each time. */
  fail(entry: OutboxEntry, reason: string): void;
  /** Makes deferred transcripts due, and with `all` also entries waiting for a retry. */
  wake(which: 'deferred' | 'all'): void;
  counts(): OutboxCounts;
  server: ServerRecord;
  close(): void;
}

/** What this machine knows about the server and about its own sessions there. */
interface ServerRecord {
  sent(sessionIds: string[]): SentSession[];
  /** Sessions that have a different id on the server. */
  renamed(): SentSession[];
  notes(): ServerNotes;
  note(patch: Partial<ServerNotes>): void;
  /** Starts over with another store: nothing is known about it, so every session is compared. */
  reset(storeId: string): void;
}
