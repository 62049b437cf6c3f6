import type { Agent } from '../domain/agent/agents.ts';
import type { ChangeMark } from '../domain/agent/change-mark.ts';
import type { Problem } from '../domain/errors.ts';
import type { SessionPayload } from '../domain/point/point.ts';
import type { ArchiveCommit, ArchivePoint } from './remote-store.ts';
import type { TranscriptFile } from './transcript-source.ts';

/** Raw bytes per part; only a transcript's last part is shorter. The same parts as in `TranscriptSource.digest`. */
export const PART_BYTES = 1024 * 1024;

/** Longer transcripts are not sent to a server, and longer ones announced by a server are refused. */
export const MAX_SHARED_BYTES = 4096 * PART_BYTES;

export interface ArchivedTranscript {
  sessionId: string;
  agent: Agent;
  /** Uncompressed size. */
  bytes: number;
  /** The hash in the session point: a hash of the parts' digests. */
  contentHash: string;
  parts: ArchivedPart[];
  /** Absent if the bytes are the agent's own. */
  redacted?: Redacted;
}

/** Redactions made before a transcript was archived. */
interface Redacted {
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
 *   the flag of the session on the server.
 * - An unreachable archive throws STORE_UNAVAILABLE.
 */
export interface ArchiveReader {
  /** Completes "restored from <name>". */
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
  /** The file's stamp when it was archived. */
  source: ChangeMark & Pick<TranscriptFile, 'path'>;
  bytes: number;
  storedBytes: number;
  /** Whether a killed process left files next to the copy. The next `save` deletes them. */
  hasLeftovers: boolean;
}

/** `unchanged`: at most the file's stamp was written. */
export type SaveResult = { kind: 'saved' | 'unchanged'; storedBytes: number; writtenParts: number };

/**
 * An archive that can be written.
 *
 * - `save` stores a transcript's bytes unchanged. If the transcript grew, only its last part and new parts are read and written; if it
 *   was rewritten, it replaces the archived copy; if it was truncated to a prefix of the copy, the copy stays. Missing parts are
 *   written again. Interrupted at any point, even by kill -9, the archive has the old state or the new one.
 * - `readParts` yields the transcript's parts from a part number on.
 * - Safe for concurrent use by several processes; writers take a lease.
 * - Throws TRANSCRIPT_UNREADABLE for an unreadable transcript, STORE_UNAVAILABLE for an archive that cannot be written.
 */
export interface SessionArchive extends ArchiveReader {
  save(transcript: TranscriptFile, readParts: (from: number) => Iterable<Uint8Array>): Promise<SaveResult>;
  /** Archived transcripts in no particular order, without damaged ones. */
  list(): Promise<ArchiveEntry[]>;
  /**
   * Reports damage: unreadable manifests, missing or changed parts. Compares digests for `budgetMs` milliseconds, and after that only
   * sizes.
   */
  verify(budgetMs: number): Promise<Problem[]>;
  /** Includes the sessions' subagents. Returns the number of sessions removed. */
  remove(sessionIds: string[]): Promise<number>;
  close(): void;
}

/** A transcript in the server's archive. */
export interface SharedTranscript extends ArchivedTranscript {
  /** content_hash of the agent's own transcript, as in the session point. */
  original: { bytes: number; contentHash: string };
  /** Name of the redaction rules applied. */
  rules: string;
  parts: (ArchivedPart & { storedBytes: number })[];
}

/** Content to archive: parts in order, from a given part number on. */
export interface SharedContent {
  parts: AsyncIterable<Uint8Array>;
  /** Number of redactions; known after the last part. */
  places(): number;
}

/**
 * The archive on a server. The caller redacts its content.
 *
 * - `prepare` returns the commit that updates a transcript. Parts that do not fit into one request are uploaded first. `known` is the
 *   current state as returned by `open`; its first `first` parts stay. Readers see no change before the commit.
 * - `open` reads a manifest; an invalid one throws TRANSCRIPT_UNREADABLE.
 * - `complete` reports whether all parts of a transcript exist.
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
