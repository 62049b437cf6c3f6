import type { Problem } from '../domain/errors.ts';
import type { SessionPayload } from '../domain/point/point.ts';
import type { Agent } from '../domain/session/session.ts';
import type { ArchiveCommit, ArchivePoint } from './remote-store.ts';
import type { TranscriptFile } from './transcript-source.ts';

/** Raw bytes per part; only a transcript's last part is shorter. Same parts as `TranscriptSource.digest`. */
export const PART_BYTES = 1024 * 1024;

/** Longer transcripts are not sent to a server, and a server that announces one is not believed. */
export const MAX_SHARED_BYTES = 4096 * PART_BYTES;

/** An archived transcript. */
export interface ArchivedTranscript {
  sessionId: string;
  agent: Agent;
  /** Size of the transcript, not of its compressed parts. */
  bytes: number;
  /** As in the session point: a hash of the parts' digests. */
  contentHash: string;
  parts: ArchivedPart[];
  /** Absent if these are the agent's own bytes. */
  redacted?: Redacted;
}

/** Redactions made before a transcript was archived. */
export interface Redacted {
  /** Number of secrets and private passages. */
  places: number;
  /** Size of the agent's own transcript. */
  bytes: number;
}

export interface ArchivedPart {
  /** SHA-256 of the raw bytes, hex. */
  digest: string;
  /** Raw bytes. */
  bytes: number;
}

/**
 * Copies of transcripts outside the agents' folders, from which sessions are restored.
 *
 * - `find` returns null for a session that is not archived.
 * - `read` yields a transcript's parts in order, each checked against its digest. A damaged or missing part throws
 *   SmartForkError TRANSCRIPT_UNREADABLE naming the file; wrong bytes are never returned.
 * - `mayHold` is called for every search result: it is cheap, asks no server, never throws and may be wrong. `archived` is
 *   the server's flag on the session.
 * - An unreachable archive throws STORE_UNAVAILABLE.
 */
export interface ArchiveReader {
  /** As in "restored from <name>". */
  readonly name: string;
  mayHold(session: Pick<SessionPayload, 'session_id' | 'archived'>): boolean;
  find(sessionId: string): Promise<ArchivedTranscript | null>;
  read(kept: ArchivedTranscript): AsyncIterable<Uint8Array>;
  /** Ids of archived sessions with this prefix, at most `limit`. */
  findByPrefix(prefix: string, limit: number): Promise<string[]>;
}

/** An archived transcript and the state of its file when it was last checked. */
export interface ArchiveEntry {
  sessionId: string;
  /** Stamp of the file when it was archived. */
  source: Pick<TranscriptFile, 'path' | 'size' | 'mtimeMs' | 'inode'>;
  bytes: number;
  storedBytes: number;
  /** Whether files of a killed process are left beside the copy. The next `save` deletes them. */
  hasLeftovers: boolean;
}

/** `unchanged`: only the file's stamp had to be written. */
export type SaveResult = { kind: 'saved' | 'unchanged'; storedBytes: number; writtenParts: number };

/**
 * An archive that can be written.
 *
 * - `save` stores a transcript's bytes unchanged. A transcript that grew has its last part and new parts read and written; a
 *   rewritten transcript replaces the archived one; a truncated transcript (a prefix of the archived one) leaves it as it is.
 *   Missing parts are written again. Interrupted at any point, even by kill -9, the archive has the old state or the new one.
 * - `readParts` yields the transcript's parts from a part number on.
 * - Safe for concurrent use by several processes; writers take a lease.
 * - Throws TRANSCRIPT_UNREADABLE for an unreadable transcript, STORE_UNAVAILABLE for an archive that cannot be written.
 */
export interface SessionArchive extends ArchiveReader {
  save(transcript: TranscriptFile, readParts: (from: number) => Iterable<Uint8Array>): Promise<SaveResult>;
  /** Archived transcripts in no particular order, damaged ones excluded. */
  list(): Promise<ArchiveEntry[]>;
  /**
   * What is damaged: manifests that cannot be read, parts that are missing or differ. Parts are compared with their digests for
   * `budgetMs`; after that only their sizes are.
   */
  verify(budgetMs: number): Promise<Problem[]>;
  /** With the sessions' subagents. Returns the number of sessions removed. */
  remove(sessionIds: string[]): Promise<number>;
  close(): void;
}

/** A transcript in the archive on a server. */
export interface SharedTranscript extends ArchivedTranscript {
  /** content_hash of the agent's own transcript, as in the session point. */
  original: { bytes: number; contentHash: string };
  /** Name of the redaction rules applied. */
  rules: string;
  parts: (ArchivedPart & { storedBytes: number })[];
}

/** Content to archive: parts from a number on, in order. */
export interface SharedContent {
  parts: AsyncIterable<Uint8Array>;
  /** Number of redactions; known after the last part. */
  places(): number;
}

/**
 * The archive on a server. Its content is redacted by the caller.
 *
 * - `prepare` returns the commit that updates a transcript, and sends parts ahead that do not fit one request. `known` is the
 *   present state as `open` returned it; its first `first` parts stay. Readers see no change before the commit.
 * - `open` reads a manifest; an invalid one throws TRANSCRIPT_UNREADABLE.
 * - `complete` reports whether every part of a transcript is there.
 * - Throws STORE_UNAVAILABLE and STORE_INCOMPATIBLE like the server's store.
 */
export interface SharedArchive extends ArchiveReader {
  find(sessionId: string): Promise<SharedTranscript | null>;
  complete(kept: SharedTranscript): Promise<boolean>;
  open(sessionId: string, manifest: ArchivePoint): SharedTranscript;
  prepare(
    transcript: Pick<SharedTranscript, 'sessionId' | 'agent' | 'original' | 'rules'>,
    known: SharedTranscript | null,
    first: number,
    content: SharedContent,
  ): Promise<ArchiveCommit>;
  /** Raw and stored bytes of all transcripts. */
  size(): Promise<{ sessions: number; bytes: number; storedBytes: number }>;
}
