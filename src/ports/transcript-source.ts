import type { Agent } from '../domain/session.ts';
import type { TranscriptEvent } from '../domain/transcript-event.ts';

export type { TranscriptEvent } from '../domain/transcript-event.ts';

/** A transcript file as the file system shows it. */
export interface TranscriptFile {
  agent: Agent;
  path: string;
  /** The id the agent resumes by. */
  sessionId: string;
  size: number;
  /** Milliseconds since the epoch. */
  mtimeMs: number;
  inode: number;
}

/** Lines that gave no event because they could not be read; `unknown type` lines are not among them. */
export interface SkippedLine {
  /** Counted from 1 over the whole file. */
  line: number;
  reason: 'not JSON' | 'not an object' | 'no such shape';
}

export interface ReadOptions {
  /** Byte offset to start at; the beginning of a line. */
  from: number;
  /** Number of lines before `from`. */
  linesBefore: number;
  /** Lines that are copied from a parent end at this byte offset (see `findInheritance`). */
  inheritedBytes: number;
}

export interface ReadResult {
  /** Byte offset behind the last complete line; a line that is still being written lies behind it. */
  end: number;
  lines: number;
  skipped: SkippedLine[];
}

/**
 * The transcripts of one agent on this machine.
 *
 * - `find` never throws for one unreadable file or folder; it reports it through `onProblem`.
 * - `read` calls `onEvent` for each event and never throws for the content of a file: a corrupt line
 *   is skipped and counted. It throws SmartForkError TRANSCRIPT_UNREADABLE when the file cannot be opened.
 * - Nothing is ever written to a transcript.
 */
export interface TranscriptSource {
  readonly agent: Agent;
  /** The folders that `find` looks in. */
  readonly roots: string[];
  find(onProblem?: (path: string, reason: string) => void): TranscriptFile[];
  /** The transcript at a path, or null when it is not one of this agent's. */
  inspect(path: string): TranscriptFile | null;
  read(path: string, options: ReadOptions, onEvent: (event: TranscriptEvent) => void): ReadResult;
  /**
   * The session that this one was forked from and how many bytes at its beginning are copied from it, or null.
   * `siblings` are the other transcripts that could be the origin.
   */
  findInheritance(file: TranscriptFile, siblings: TranscriptFile[]): Inheritance | null;
  /** What the file's head says, read cheaply. */
  head(file: TranscriptFile): TranscriptHead;
  /**
   * SHA-256 digests (hex) of the 1 MiB parts of the file's first `bytes` bytes; the digests of whole parts that are
   * known already are taken over. Fewer parts come back when the file has become shorter.
   */
  digest(path: string, bytes: number, knownParts: string[]): string[];
  /** The shell words that resume or fork a session (without `cd`). */
  resumeCommand(sessionId: string): string[];
  forkCommand(sessionIdOrPath: string): string[];
  /** The transcript of a session on this machine, wherever the agent has moved it; null when there is none. */
  locate(sessionId: string): string | null;
  /** Where a transcript of this id must lie so that the agent finds it from `cwd`. */
  restorePath(sessionId: string, cwd: string): string;
}

export interface TranscriptHead {
  /** What a session and its forks have in common and other sessions don't (the id of the first message), or null. */
  fingerprint: string | null;
  workingDirectory: string | null;
}

export interface Inheritance {
  parentId: string;
  /** Bytes at the file's beginning that were copied from the parent. */
  inheritedBytes: number;
}
