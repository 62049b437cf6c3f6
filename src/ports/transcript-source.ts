import type { Agent } from '../domain/session/session.ts';
import type { TranscriptEvent } from '../domain/session/transcript-event.ts';

export type { TranscriptEvent } from '../domain/session/transcript-event.ts';

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
  /**
   * What the user called the session, where the agent keeps that beside the transcript and not in it. A changed name
   * is a reason to read a transcript again that did not grow.
   */
  name?: string;
  /** Set aside in the agent: it must be brought back (`restoreCommand`) before it can be resumed or forked. */
  archived?: true;
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

/** What `readWhole` read: counts are of the file itself, not of its parents. */
export interface WholeRead extends ReadResult {
  /** Ids of parents whose history belongs here but whose transcript is not on this machine. */
  missingParents: string[];
}

/**
 * The transcripts of one agent on this machine.
 *
 * - `find` never throws for one unreadable file or folder; it reports it through `onProblem`.
 * - `read` calls `onEvent` for each event, with the byte offset of the line that tells it, and never throws for the content
 *   of a file: a corrupt line is skipped and counted. It throws SmartForkError TRANSCRIPT_UNREADABLE when the file cannot be opened.
 * - Reading a transcript in parts, from `end` to `end`, gives the events of reading it in one go, wherever it is cut between
 *   two lines. Only what lies beside the transcript (a name) is told at the beginning of every read.
 * - A last line without a newline is read when it is complete JSON; else it stays behind `end`. When it gets its newline
 *   later, the next read counts no line for it.
 * - A message is told once, however often the transcript repeats it; instructions, environment and notices that the
 *   agent's program wrote are not told as the user's.
 * - The text of a tool message is one line of at most 200 characters: `Edit src/a.ts`, `Bash: npm test`.
 * - Nothing is ever written to a transcript; `cut` writes a new one.
 */
export interface TranscriptSource {
  readonly agent: Agent;
  /** The folders that `find` looks in. */
  readonly roots: string[];
  find(onProblem?: (path: string, reason: string) => void): TranscriptFile[];
  /** The transcript at a path, or null when it is not one of this agent's. */
  inspect(path: string): TranscriptFile | null;
  read(
    path: string,
    options: ReadOptions,
    onEvent: (event: TranscriptEvent, offset: number) => void,
  ): ReadResult;
  /**
   * Reads a session as the agent would resume it: what a fork continues without holding a copy of it comes first, out of its
   * parents' transcripts among `siblings`, as inherited events. Absent when this agent's transcripts hold all of it
   * themselves; `read` then is enough.
   */
  readWhole?(
    file: TranscriptFile,
    siblings: TranscriptFile[],
    onEvent: (event: TranscriptEvent) => void,
  ): WholeRead;
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
  /** The file's 1 MiB parts from a part's number on, as `digest` counts them; of a compressed file what is in it. */
  readParts(path: string, from: number): Iterable<Uint8Array>;
  /**
   * What the agent finds a transcript by when it is started in a working directory (null: in any): the session's id, or
   * the transcript's path where the agent would not find the id.
   */
  resumeTarget(transcript: { sessionId: string; path: string }, workingDirectory: string | null): string;
  /** The shell words that resume or fork a session (without `cd`), given what `resumeTarget` says. */
  resumeCommand(target: string, options?: StartOptions): string[];
  forkCommand(target: string, options?: StartOptions): string[];
  /** The shell words that start a new session with a first prompt. */
  startCommand(prompt: string, options?: StartOptions): string[];
  /** How a prompt names a file that the agent is to read. */
  fileReference(path: string): string;
  /** Whether a new session's id, or its name, can be chosen in those commands; what cannot is left out. */
  readonly choosesIds: boolean;
  readonly takesNames: boolean;
  /**
   * Writes a transcript of its own that ends early, where the agent finds it; its path. Only ids differ from the original's
   * lines. The file appears whole or not at all. Absent when the agent cannot resume such a transcript.
   */
  cut?(path: string, request: CutRequest): string;
  /** How large a session's context is, counted from its last compaction on; null when the transcript does not say. */
  contextSize(path: string): ContextSize | null;
  /** How a session ended; what the transcript does not show is null. */
  readEnding(path: string): Ending;
  /** The agent's processes that have the session open now. */
  liveProcesses(sessionId: string): LiveProcess[];
  /** The transcript of a session on this machine, wherever the agent has moved it; null when there is none. */
  locate(sessionId: string): string | null;
  /** The shell words that bring a session back that the agent has set aside; absent when the agent has no such thing. */
  restoreCommand?(sessionId: string): string[];
  /** Where a transcript of this id must lie so that the agent finds it from `cwd`. */
  restorePath(sessionId: string, cwd: string): string;
}

export interface StartOptions {
  /** What the session will be called. */
  name?: string;
  /** The id of the session that will be made. */
  sessionId?: string;
}

export interface ContextSize {
  tokens: number;
  /** The model's window in tokens, where the transcript names it. */
  window: number | null;
}

export interface Ending {
  /** Whether the agent had the last word. */
  answered: boolean | null;
  /** How the last run of tests ended. */
  tests: 'passed' | 'failed' | null;
}

export interface LiveProcess {
  pid: number;
  /** Whether it is working on an answer. */
  busy: boolean;
}

export interface CutRequest {
  /** Lines from this byte offset on are left out. */
  end: number;
  /** The new session's id. */
  sessionId: string;
  /** Where it will be resumed. */
  workingDirectory: string;
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
