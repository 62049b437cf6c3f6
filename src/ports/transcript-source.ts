import type { Agent } from '../domain/session/session.ts';
import type { TranscriptEvent } from '../domain/session/transcript-event.ts';
import type { TranscriptStep } from '../domain/session/transcript-step.ts';
import type { RequestUsage } from '../domain/usage/usage.ts';
import type { UsageFile, UsagePosition } from './usage/usage-records.ts';

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
   * The user's name for the session, if the agent stores it outside the transcript. When it changes, the transcript is read
   * again even if it did not grow.
   */
  name?: string;
  /** Transcripts of its subagents, newest first, up to their size limit. Changes to them count in `mtimeMs`. */
  subagents?: SubagentFile[];
  /** Ids of older subagents beyond that limit. */
  subagentsLeftOut?: string[];
  /** Contains only the user's prompts, from the agent's history, because there is no transcript. See PromptHistory. */
  onlyPrompts?: true;
  /** Archived by the agent: `restoreCommand` must bring it back before it can be resumed or forked. */
  archived?: true;
}

/** The transcript of a subagent, which is part of its session. */
export interface SubagentFile {
  agentId: string;
  path: string;
  size: number;
  mtimeMs: number;
  inode: number;
}

/** A line that could not be read. Lines of unknown types are not counted. */
export interface SkippedLine {
  /** Counted from 1 over the whole file. */
  line: number;
  reason: 'not JSON' | 'not an object' | 'no such shape';
}

export interface ReadOptions {
  /** Byte offset of the line to start at. */
  from: number;
  /** Number of lines before `from`. */
  linesBefore: number;
  /** Lines before this byte offset were copied from a parent (see `findInheritance`). */
  inheritedBytes: number;
  /** The file belongs to a subagent. In a session's own file, subagents' lines are skipped. */
  ofSubagent?: boolean;
  /** Called after each complete line; true stops reading there. */
  isEnough?: () => boolean;
}

/** The lines that begin at `from` or later and before `to`. */
export interface StepRange {
  from: number;
  to: number;
  ofSubagent?: boolean;
}

/** Where a line begins. */
export interface LinePlace {
  path: string;
  offset: number;
}

export interface ReadResult {
  /** Byte offset after the last complete line. A line that is still being written begins there. */
  end: number;
  lines: number;
  skipped: SkippedLine[];
}

/**
 * The transcripts of one agent on this machine.
 *
 * - `find` reports an unreadable file or folder through `onProblem` and does not throw.
 * - `read` calls `onEvent` for each event, with the byte offset and the number of the event's line. It skips and counts
 *   corrupt lines, whatever a file contains. It throws SmartForkError TRANSCRIPT_UNREADABLE when the file cannot be opened.
 * - Reading a transcript in parts, each from the `end` of the last, gives the same events as reading it at once, whichever lines the
 *   parts begin at. Only what is stored outside the transcript (a name) is emitted at the beginning of every read.
 * - A last line without a newline is read if it is complete JSON; otherwise it is left for the next read. When its newline
 *   follows later, the next read counts no line for it.
 * - A message is emitted once, however often the transcript repeats it. Instructions, environment and notices written by the agent's
 *   program are not emitted as the user's.
 * - The text of a tool message is one line of at most 200 characters: `Edit src/a.ts`, `Bash: npm test`.
 * - Nothing is ever written to a transcript. `cut` writes a new one.
 */
export interface TranscriptSource {
  readonly agent: Agent;
  /** The folders that `find` searches. */
  readonly roots: string[];
  find(onProblem?: (path: string, reason: string) => void): TranscriptFile[];
  /** The transcript at a path, or null when it is not one of this agent's. */
  inspect(path: string): TranscriptFile | null;
  read(
    path: string,
    options: ReadOptions,
    onEvent: (event: TranscriptEvent, offset: number, line: number) => void,
  ): ReadResult;
  /**
   * Reads the steps of a byte range, for people who read the conversation. Skips what `read` skips, and unfinished lines.
   */
  readSteps(path: string, range: StepRange, onStep: (step: TranscriptStep, offset: number) => void): void;
  /** The files that record a session's usage: its transcript and those of all its subagents. */
  usageFiles(file: TranscriptFile): UsageFile[];
  /**
   * Reads the usage of the requests after a position. A request may be reported several times; the last report has its final numbers.
   * @throws SmartForkError TRANSCRIPT_UNREADABLE
   */
  readUsage(
    path: string,
    from: UsagePosition | null,
    onRequest: (request: RequestUsage) => void,
  ): UsagePosition;
  /**
   * For a fork that does not contain a copy of its parents' history: reads what it inherits (messages, files and commits) from those
   * parents that are among `siblings`, oldest parent first. Returns the ids of the other parents. Absent if this agent's transcripts
   * contain their whole history.
   */
  readInherited?(
    file: TranscriptFile,
    siblings: TranscriptFile[],
    onEvent: (event: TranscriptEvent, place: LinePlace) => void,
  ): string[];
  /** The session that this one was forked from, or null. `siblings`: the transcripts that could be its parent. */
  findInheritance(file: TranscriptFile, siblings: TranscriptFile[]): Inheritance | null;
  /** Facts from the beginning of the file; cheap. */
  head(file: TranscriptFile): TranscriptHead;
  /**
   * SHA-256 digests (hex) of the 1 MiB parts of the file's first `bytes` bytes. Reuses known digests of whole parts. Returns fewer
   * parts if the file has become shorter.
   */
  digest(path: string, bytes: number, knownParts: string[]): string[];
  /** The file's 1 MiB parts from a part's number on, as `digest` counts them. A compressed file is decompressed. */
  readParts(path: string, from: number): Iterable<Uint8Array>;
  /**
   * The argument by which an agent started in a working directory (null: any) finds a transcript: the session's id, or the
   * transcript's path if the agent would not find the id.
   */
  resumeTarget(transcript: { sessionId: string; path: string }, workingDirectory: string | null): string;
  /** The shell words that resume or fork a `resumeTarget`, without `cd`. */
  resumeCommand(target: string, options?: StartOptions): string[];
  forkCommand(target: string, options?: StartOptions): string[];
  /** The shell words that start a new session with a first prompt. */
  startCommand(prompt: string, options?: StartOptions): string[];
  /** How to refer to a file in a prompt, so that the agent reads it. */
  fileReference(path: string): string;
  /** Whether those commands can set a new session's id and its name. Unsupported options are left out. */
  readonly choosesIds: boolean;
  readonly takesNames: boolean;
  /**
   * Writes a shortened copy of a transcript where the agent finds it, and returns its path. The copied lines differ only in ids.
   * The write is atomic. Absent if the agent cannot resume such a transcript.
   */
  cut?(path: string, request: CutRequest): string;
  /** The size of a session's context since its last compaction; null if the transcript does not record it. */
  contextSize(path: string): ContextSize | null;
  /** How a session ended. Facts missing from the transcript are null. */
  readEnding(path: string): Ending;
  /** The agent's processes that have the session open now. */
  liveProcesses(sessionId: string): LiveProcess[];
  /** The session that a process of the agent has open now; null if unknown. */
  sessionOfProcess(pid: number): string | null;
  /** The path of a session's transcript on this machine, even if the agent has moved it; null if there is none. */
  locate(sessionId: string): string | null;
  /** The shell words that bring back an archived session; absent when the agent has no archive. */
  restoreCommand?(sessionId: string): string[];
  /** The path of a subagent's transcript, next to its session's; absent if this agent has no subagents. */
  subagentPath?(path: string, agentId: string): string;
  /** The path at which the agent finds a transcript with this id from `cwd`. */
  restorePath(sessionId: string, cwd: string): string;
  /** Absent if the agent keeps no separate prompt history. */
  readonly history?: PromptHistory;
}

/**
 * Prompts that an agent keeps longer than its transcripts. `find` lists a session's prompts as a transcript (`onlyPrompts`) if its own
 * transcript is unknown. The path is not that of a file, and `TranscriptSource.inspect` does not recognize it.
 */
export interface PromptHistory extends Pick<TranscriptSource, 'read' | 'digest'> {
  find(
    isKnown: (sessionId: string) => boolean,
    onProblem?: (path: string, reason: string) => void,
  ): TranscriptFile[];
}

export interface StartOptions {
  name?: string;
  sessionId?: string;
}

export interface ContextSize {
  tokens: number;
  /** The model's context window in tokens, if the transcript names it. */
  window: number | null;
}

export interface Ending {
  /** Whether the agent had the last word; null if unknown. */
  answered: boolean | null;
  /** The result of the last test run. */
  tests: 'passed' | 'failed' | null;
}

export interface LiveProcess {
  pid: number;
  /** Working on an answer. */
  busy: boolean;
}

export interface CutRequest {
  /** Lines from this byte offset on are left out. */
  end: number;
  sessionId: string;
  /** Where the new session will be resumed. */
  workingDirectory: string;
}

export interface TranscriptHead {
  /** What only a session and its forks have in common (the id of the first message), or null. */
  fingerprint: string | null;
  workingDirectory: string | null;
}

export interface Inheritance {
  parentId: string;
  /** Bytes at the file's beginning that were copied from the parent. */
  inheritedBytes: number;
}

export interface ThreadForkRequest {
  transcript: TranscriptFile;
  /** The user's prompts of the whole session, in order. */
  prompts: string[];
  /** The last turn of the fork, counted from 1; it begins with the prompt at this position. */
  turn: number;
  /** Where the fork will be resumed. */
  workingDirectory: string;
}

/** A session created by the agent's program. */
export interface NewThread {
  sessionId: string;
  path: string;
  /** The last turn it contains: one turn of the agent's own may contain several prompts. */
  turn: number;
}

/**
 * Creates sessions from others with an agent's own program, without a login. The originals are only read.
 * @throws SmartForkError USAGE if the program is missing or too old, or refuses
 */
export interface AgentThreads {
  forkAt(request: ThreadForkRequest): Promise<NewThread>;
  /** Why another agent's session cannot be imported, as far as is known without trying; null if it can. */
  whyNotImport(transcript: TranscriptFile): string | null;
  /** Creates a session with the content of another agent's session, up to the turn; null: all of it. */
  forkImported(request: Omit<ThreadForkRequest, 'turn'> & { turn: number | null }): Promise<NewThread>;
}
