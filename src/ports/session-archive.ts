import type { SessionPayload } from '../domain/point/point.ts';
import type { Agent } from '../domain/session/session.ts';
import type { ArchiveCommit, ArchivePoint } from './remote-store.ts';
import type { TranscriptFile } from './transcript-source.ts';

/** Raw bytes in a part; only the last one of a transcript is shorter. The parts of `TranscriptSource.digest`. */
export const PART_BYTES = 1024 * 1024;

/** A transcript as an archive keeps it. */
export interface KeptTranscript {
  sessionId: string;
  agent: Agent;
  /** Of the transcript, not of what is stored for it. */
  bytes: number;
  /** As the session point's: over the digests of the parts. */
  contentHash: string;
  parts: KeptPart[];
  /** Absent where these are the bytes that the agent wrote. */
  redacted?: Redacted;
}

/** What was taken out of a transcript before it was kept. */
export interface Redacted {
  /** How many secrets and private passages. */
  places: number;
  /** Of the transcript as the agent wrote it. */
  bytes: number;
}

export interface KeptPart {
  /** SHA-256 of the raw bytes, hex. */
  digest: string;
  /** Raw bytes. */
  bytes: number;
}

/**
 * Transcripts' own bytes, kept apart from the agents' folders: what a session is restored from.
 *
 * - `find` answers null for a session that is not kept.
 * - `read` gives a kept transcript's parts in order, each checked against its digest. What is damaged or missing throws
 *   SmartForkError TRANSCRIPT_UNREADABLE and names the file; bytes that are not the transcript's are never given.
 * - `mayHold` is asked for every result of a search: it is cheap, asks no server, never throws and may be wrong. `archived` is
 *   what the server has said of the session.
 * - An archive that is away throws STORE_UNAVAILABLE.
 */
export interface ArchiveReader {
  /** As in `restored from <name>`. */
  readonly name: string;
  mayHold(session: Pick<SessionPayload, 'session_id' | 'archived'>): boolean;
  find(sessionId: string): Promise<KeptTranscript | null>;
  read(kept: KeptTranscript): AsyncIterable<Uint8Array>;
  /** Ids of kept sessions that begin with the prefix, at most `limit`. */
  findByPrefix(prefix: string, limit: number): Promise<string[]>;
}

/** What was kept of a transcript file and when it was looked at last. */
export interface ArchiveEntry {
  sessionId: string;
  /** The transcript as it was found when it was kept. */
  source: Pick<TranscriptFile, 'path' | 'size' | 'mtimeMs' | 'inode'>;
  bytes: number;
  storedBytes: number;
}

/** `unchanged`: nothing but the note of when it was looked at had to be written. */
export type KeepResult = { kind: 'kept' | 'unchanged'; storedBytes: number; writtenParts: number };

/**
 * An archive that transcripts are put into.
 *
 * - `keep` stores a transcript's bytes as they are. Of a transcript that grew only the last part and new ones are read and
 *   written; one that was rewritten replaces what was kept; one that was cut short (it is the beginning of what is kept)
 *   leaves it. What is missing of a copy is made again. Whatever it is interrupted by, kill -9 included, what was kept before or the new state is there whole.
 * - `readParts` gives the transcript's parts from a part's number on.
 * - Every method may be called from several processes at once; writers take turns.
 * - Throws TRANSCRIPT_UNREADABLE for a transcript that cannot be read, STORE_UNAVAILABLE for an archive that cannot be written.
 */
export interface SessionArchive extends ArchiveReader {
  keep(transcript: TranscriptFile, readParts: (from: number) => Iterable<Uint8Array>): Promise<KeepResult>;
  /** What is kept, in no order; one that is damaged is not among them. */
  list(): Promise<ArchiveEntry[]>;
  /** Returns how many of them there were. */
  remove(sessionIds: string[]): Promise<number>;
  close(): void;
}

/** A transcript as a server keeps it, for all machines. */
export interface SharedTranscript extends KeptTranscript {
  /** The transcript as the agent wrote it, which is the same where nothing was redacted: as the session point's. */
  original: { bytes: number; contentHash: string };
  /** Name of the rules that it was redacted by. */
  rules: string;
  parts: (KeptPart & { storedBytes: number })[];
}

/** What is to be kept: parts from a number on, in order. */
export interface SharedContent {
  parts: AsyncIterable<Uint8Array>;
  /** How many places were redacted; known when all parts came. */
  places(): number;
}

/**
 * The archive on a server. What is put into it was redacted before.
 *
 * - `prepare` gives what brings a transcript up to date; parts that are too many for one request are sent by it. `known` is
 *   what is there, as `open` gave it; its first `first` parts stay. Nothing changes for a reader before it is committed.
 * - `open` reads a manifest. One that is none throws TRANSCRIPT_UNREADABLE.
 * - `complete` tells whether all parts of a transcript are there.
 * - Throws STORE_UNAVAILABLE and STORE_INCOMPATIBLE as the server's store does.
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
  /** Bytes of the transcripts, and what is stored for them. */
  size(): Promise<{ sessions: number; bytes: number; storedBytes: number }>;
}
