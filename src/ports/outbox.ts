import type { Problem } from '../domain/errors.ts';

/**
 * What is to be told to the server of one session, under the id it has there. What is sent is read from the local store when it is
 * sent.
 */
export interface OutboxEntry {
  sessionId: string;
  /** Goes up with every change: an entry is done only if nothing came while it was sent. */
  revision: number;
  /** When the first of its changes came, in milliseconds. */
  since: number;
  /** All of the session is to be compared with what is there. */
  whole: boolean;
  /** Ids of points that were written and deleted since the session was last sent; without meaning when `whole`. */
  points: string[];
  deletes: string[];
  /** Ids of points that got a vector; null: all that have one. */
  vectors: string[] | null;
  tags: TagChange | null;
  /** It is to be deleted there, before anything else. */
  removed: boolean;
  /** So that no machine brings it back. */
  forgotten: Forgotten | null;
  /** A tombstone is to be taken away: the user asked for the session by name. */
  revived: boolean;
  /** The session's archived transcript changed. */
  archive: boolean;
  tries: number;
  /** Why it could not be sent, by itself. */
  reason: string | null;
}

/** An entry as it was read. */
export type EntryState = Pick<OutboxEntry, 'sessionId' | 'revision'>;

/** An entry of which the archived transcript is left to send. */
export interface PutOff extends EntryState {
  /** Milliseconds since the epoch. */
  until: number;
}

export interface TagChange {
  add: string[];
  remove: string[];
}

export interface Forgotten {
  machine: string;
  forgottenAt: string;
}

export type OutboxChange = { sessionId: string } & Partial<
  Pick<
    OutboxEntry,
    'whole' | 'points' | 'deletes' | 'vectors' | 'tags' | 'removed' | 'forgotten' | 'revived' | 'archive'
  >
>;

/** What the server has of a session, as far as this machine knows. */
export interface SentSession {
  /** In the local store. */
  sessionId: string;
  /** On the server: another one when copies of two machines went different ways. */
  remoteId: string;
  /** content_hash of its session point there; empty when that is not this machine's copy. */
  contentHash: string;
}

/** Why nothing is sent at the moment. */
export interface OutboxPause extends Problem {
  /** Milliseconds since the epoch. */
  until: number;
  tries: number;
  /** The server asked for it. */
  asked: boolean;
}

/** The server's embedding service refused; see EmbeddingRefusals. */
export interface EmbeddingPause extends Problem {
  /** Milliseconds since the epoch. */
  until: number;
  tries: number;
}

export interface OutboxCounts {
  /** Sessions that wait; not those of which the archived transcript alone was put off. */
  waiting: number;
  /** Of those, the ones that could not be sent by themselves. */
  failing: number;
  /** When the oldest change came, in milliseconds; null when nothing waits. */
  since: number | null;
}

/**
 * What this machine has yet to tell the server (`state.db`). One entry a session, so that a session's changes go in order.
 * Safe to use from several processes at once; survives any of them.
 *
 * A change is announced before it is made in the local store (`hold`) and freed after: in between it is not sent, and
 * when its process dies it is sent as it is then. Nothing is lost either way.
 * @throws SmartForkError STORE_UNAVAILABLE
 */
export interface Outbox {
  hold(changes: OutboxChange[]): void;
  free(sessionIds: string[]): void;
  /** `hold` and `free` in one, for changes that are in no local store. */
  add(changes: OutboxChange[]): void;
  /** Entries that may be sent now, oldest first. */
  due(limit: number): OutboxEntry[];
  /** Lets entries that wait for another try, or that were put off, be sent now. */
  hurry(): void;
  /** The same for those that were put off alone. */
  endQuiet(): void;
  /** When the first of those that were put off is due, in milliseconds; null when there is none. */
  quietUntil(): number | null;
  get(sessionIds: string[]): OutboxEntry[];
  /** Ids of all sessions that wait, but for those of which the archived transcript alone was put off. */
  waiting(): string[];
  /** Takes out entries that nothing came to since, and notes what the server has now. Of those that are put off, the transcript stays. */
  done(entries: EntryState[], sent: SentSession[], putOff?: PutOff[]): void;
  /** Transcripts of these entries are about to be sent, until `done`. Ids of those that were so before: what was sent then was interrupted. */
  begin(sessionIds: string[]): string[];
  /** Parts of transcripts on the server that nothing names any more, as last noted. */
  outgrown(): string[];
  noteOutgrown(ids: string[]): void;
  /** An entry that could not be sent by itself waits longer each time. */
  fail(entry: OutboxEntry, reason: string): void;
  sent(sessionIds: string[]): SentSession[];
  /** Sessions whose id is another one on the server. */
  renamed(): SentSession[];
  pause(): OutboxPause | null;
  setPause(pause: OutboxPause | null): void;
  embeddingPause(): EmbeddingPause | null;
  setEmbeddingPause(pause: EmbeddingPause | null): void;
  /** Id of the store that `sent` is about; null before the first. */
  storeId(): string | null;
  /** When the store was last asked what was forgotten there, in milliseconds; null before the first time. */
  greetedAt(): number | null;
  noteGreeted(): void;
  /** Another store: nothing of it is known, and all these sessions are to be compared. */
  startOver(storeId: string, sessionIds: string[]): void;
  counts(): OutboxCounts;
  close(): void;
}
