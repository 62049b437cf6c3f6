import type { Agent } from '../domain/agent/agents.ts';
import type { ChangeMark } from '../domain/agent/change-mark.ts';
import type { TranscriptEvent } from '../domain/session/transcript-event.ts';
import type { TranscriptStep } from '../domain/session/transcript-step.ts';
import type { FileReason, LineReason } from '../domain/session/unread.ts';
import type { RequestUsage } from '../domain/usage/usage.ts';
import type { AgentCommands, AgentProcesses } from './agent/agent-commands.ts';
import type { CreateRequest } from './agent/conversation.ts';
import type { UsageFile, UsagePosition } from './usage/usage-records.ts';

export type { TranscriptEvent } from '../domain/session/transcript-event.ts';

/**
 * Addresses a transcript: the path of its file, or, in a file that holds many sessions, the path and the session's key, as
 * `<path>#<key>`. Only the source that gave it takes it apart.
 */
export type SourceReference = string;

/**
 * A place in a transcript: the byte offset of a line, or a number that counts in the source's own unit. 0 is the beginning, and what
 * comes later has a higher number. Only the source knows more about it.
 */
export type Position = number;

/** A transcript, and the mark that shows whether it changed. */
export interface TranscriptFile extends ChangeMark {
  agent: Agent;
  path: SourceReference;
  /** The id the agent resumes by. */
  sessionId: string;
  /**
   * The user's name for the session, if the agent stores it outside the transcript. When it changes, the transcript is read
   * again even if it did not grow.
   */
  name?: string;
  /** Transcripts of its subagents, newest first. Changes to them count in `mtimeMs`. */
  subagents?: SubagentFile[];
  /** A copy under another name than the session's. The session's own transcript takes precedence, even if it is shorter. */
  isCopy?: true;
  /** Contains only the user's prompts, from the agent's history, because there is no transcript. See PromptHistory. */
  onlyPrompts?: true;
  /** Archived by the agent: `AgentCommands.restore` must bring it back before it can be resumed or forked. */
  archived?: true;
  /** The agent's program no longer opens it: what continues it is a copy that the program imports. */
  unopenable?: true;
}

/** The transcript of a subagent, which is part of its session. */
export interface SubagentFile extends ChangeMark {
  agentId: string;
  path: SourceReference;
}

/** A line that was not read. Lines of unknown kinds count only if they hold text. */
export interface SkippedLine {
  /** Counted from 1 over the whole file. */
  line: number;
  reason: LineReason;
}

/** Reports a path that is not read: because it cannot be, or, with a kind, because it is not a transcript of its own. */
export type OnProblem = (path: string, reason: string, kind?: FileReason) => void;

export interface ReadOptions {
  /** Where to start: 0, or the `end` of an earlier read. */
  from: Position;
  /** Number of lines before `from`. */
  linesBefore: number;
  /** What is before this position was copied from a parent (see `findInheritance`). */
  inheritedBytes: Position;
  /** The transcript belongs to a subagent. In a session's own, subagents' lines are skipped. */
  ofSubagent?: boolean;
  /** Called after each complete line; true stops reading there. */
  isEnough?: () => boolean;
}

/** The lines that begin at `from` or later and before `to`. */
export interface StepRange {
  from: Position;
  to: Position;
  ofSubagent?: boolean;
}

/** Where a line begins. */
export interface LinePlace {
  path: SourceReference;
  offset: Position;
}

export interface ReadResult {
  /** The position after the last complete line. A line that is still being written begins there. */
  end: Position;
  /** Bytes up to `end`, as `bytes.parts` yields them, if `end` is not a byte offset. */
  bytes?: number;
  lines: number;
  skipped: SkippedLine[];
}

/**
 * Reads the transcripts of one agent on this machine. The optional parts are what some agents lack: users are then told so
 * (domain/session/missing-parts.ts).
 *
 * - `find` reports an unreadable file or folder through `onProblem` and does not throw. With a kind, it reports what it leaves out on
 *   purpose. A session may have several transcripts in the list; `withoutDuplicates` chooses.
 * - `read` calls `onEvent` for each event, with the position and the number of the event's line (or record, in a source without lines).
 *   It skips and counts corrupt lines, whatever a file contains. It throws SmartForkError TRANSCRIPT_UNREADABLE when the transcript
 *   cannot be opened.
 * - Reading a transcript in parts, each from the `end` of the last, gives the same events as reading it at once, whichever lines the
 *   parts begin at. Only what is stored outside the transcript (a name) is emitted at the beginning of every read.
 * - A last line without a newline is read if it is complete JSON; otherwise it is left for the next read. When its newline
 *   follows later, the next read counts no line for it.
 * - A message is emitted once, however often the transcript repeats it. Instructions, environment and notices written by the agent's
 *   program are not emitted as the user's.
 * - The text of a tool message is one line of at most 200 characters: `Edit src/a.ts`, `Bash: npm test`.
 * - Nothing is ever written to a transcript, and no lock is held on an agent's database. `cut` writes a new one.
 */
export interface TranscriptSource {
  readonly agent: Agent;
  /** The folders that `find` searches. */
  readonly roots: string[];
  find(onProblem?: OnProblem): TranscriptFile[];
  /** The transcript at a place, or null when it is not one of this agent's. Also recognizes a copy outside the agent's folders. */
  inspect(path: SourceReference): TranscriptFile | null;
  /** Where a session's transcript is on this machine, even if the agent has moved it; null if there is none. */
  locate(sessionId: string): SourceReference | null;
  /** Facts from the beginning of the transcript; cheap. */
  head(file: TranscriptFile): TranscriptHead;
  read(
    path: SourceReference,
    options: ReadOptions,
    onEvent: (event: TranscriptEvent, offset: Position, line: number) => void,
  ): ReadResult;
  /** Reads the steps of a range, for people who read the conversation. Skips what `read` skips, and unfinished lines. */
  readSteps(
    path: SourceReference,
    range: StepRange,
    onStep: (step: TranscriptStep, offset: Position) => void,
  ): void;
  /** The session that this one was forked from, or null. `siblings`: the transcripts that could be its parent. */
  findInheritance(file: TranscriptFile, siblings: TranscriptFile[]): Inheritance | null;
  /**
   * SHA-256 digests (hex) of the 1 MiB parts of what is before a position, in the bytes that `bytes.parts` yields. Reuses known digests
   * of whole parts. Returns other or fewer parts if anything before the position has changed.
   */
  digest(path: SourceReference, end: Position, knownParts: string[]): string[];
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
  /** Absent if sessions cannot be continued from a command line. */
  readonly commands?: AgentCommands;
  /**
   * Writes a shortened copy of a transcript where the agent finds it, and returns its path. The copied lines differ only in ids.
   * The write is atomic. Absent if the agent cannot resume such a transcript.
   */
  cut?(path: SourceReference, request: CutRequest): SourceReference;
  /**
   * Writes a session with another agent's conversation where this agent finds it, and returns its path. Absent if the agent's program must
   * make it (`AgentThreads.create`), or if it cannot be given one.
   */
  create?(request: CreateRequest): SourceReference;
  /**
   * Words before a command of the agent's, for a transcript in another home than the one that its program uses. Absent, or none: the
   * command needs no more.
   */
  inHome?(path: SourceReference): string[];
  /** The position at a transcript's end, if that is not its size. */
  endOf?(path: SourceReference): Position;
  /** Absent if transcripts cannot be archived. */
  readonly bytes?: TranscriptBytes;
  /** Absent if the agent's processes cannot be told from others. */
  readonly processes?: AgentProcesses;
  /** Absent if transcripts do not record tokens. */
  readonly usage?: TranscriptUsage;
  readonly facts?: TranscriptFacts;
  /** Absent if the agent keeps no separate prompt history. */
  readonly history?: PromptHistory;
}

/** A transcript as bytes, to archive it and to bring it back. */
export interface TranscriptBytes {
  /** The 1 MiB parts from a part's number on, as `digest` counts them. A compressed file is decompressed. */
  parts(path: SourceReference, from: number): Iterable<Uint8Array>;
  /**
   * The text of a transcript or a copy without what the agent's program changes in it when it restores a session. Absent if a restored
   * transcript has the bytes of its copy.
   */
  comparableText?: ((text: string) => string) | undefined;
  /** A file name under which `inspect` recognizes a session's bytes in any folder. */
  copyName(sessionId: string): string;
  /**
   * The place at which the agent finds a session's bytes from `cwd`; absent if they cannot be put back. In a database, the agent's program
   * puts them there (`AgentThreads.restores`).
   * @param former where the transcript was: it goes back to the same home
   */
  restorePath?(sessionId: string, cwd: string, former?: string): string;
  /** The files of a session's bytes, the first at `path`; absent if they are always one. */
  split?(path: string, bytes: AsyncIterable<Uint8Array>): Promise<TranscriptPart[]>;
  /** The path of a subagent's transcript, next to its session's; absent if this agent has no subagents. */
  subagentPath?(path: string, agentId: string): string;
}

/** Bytes of a transcript that are a file of their own. */
export interface TranscriptPart {
  path: string;
  from: number;
  to: number;
}

export interface TranscriptUsage {
  /** The files that record a session's usage: its transcript and those of all its subagents. */
  files(file: TranscriptFile): UsageFile[];
  /**
   * Reads the usage of the requests after a position. A request may be reported several times; the last report has its final numbers.
   * @throws SmartForkError TRANSCRIPT_UNREADABLE
   */
  read(
    path: SourceReference,
    from: UsagePosition | null,
    onRequest: (request: RequestUsage) => void,
  ): UsagePosition;
}

interface TranscriptFacts {
  /**
   * The size of a session's context since its last compaction; null if the transcript does not record it. `before`: only what comes before
   * this position.
   */
  contextSize(path: SourceReference, before?: Position): ContextSize | null;
  /** How a session ended; absent if transcripts do not tell. Facts missing from the transcript are null. */
  ending?(path: SourceReference): Ending;
}

/**
 * Prompts that an agent keeps longer than its transcripts. `find` lists a session's prompts as a transcript (`onlyPrompts`) if its own
 * transcript is unknown. Its reference is the history's path and the session's id, and `TranscriptSource.inspect` does not recognize it.
 */
export interface PromptHistory extends Pick<TranscriptSource, 'read' | 'digest'> {
  find(isKnown: (sessionId: string) => boolean, onProblem?: OnProblem): TranscriptFile[];
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

export interface CutRequest {
  /** Lines from this position on are left out. */
  end: Position;
  sessionId: string;
  /** Where the new session will be resumed. */
  workingDirectory: string;
  /** Where the transcript was, if this is a copy of it from an archive: the new one is written to the same home. */
  former?: string | undefined;
}

export interface TranscriptHead {
  /** What only a session and its forks have in common (the id of the first message), or null. */
  fingerprint: string | null;
  workingDirectory: string | null;
}

export interface Inheritance {
  parentId: string;
  /** What is before this position was copied from the parent. */
  inheritedBytes: Position;
}

export interface ThreadForkRequest {
  transcript: TranscriptFile;
  /** The user's prompts of the whole session, in order. */
  prompts: string[];
  /** The last turn of the fork, counted from 1; it begins with the prompt at this position. */
  turn: number;
  /** Where the turn after it begins. */
  end: Position;
  /** Where the fork will be resumed. */
  workingDirectory: string;
}

/** A session created by the agent's program. */
export interface NewThread {
  sessionId: string;
  path: SourceReference;
  /** The last turn it contains: one turn of the agent's own may contain several prompts. */
  turn: number;
  /** Deletes it, if deleting the file at its path does not. */
  remove?(): void | Promise<void>;
}

/**
 * Creates sessions from others with an agent's own program, without a login. The originals are only read.
 * @throws SmartForkError AGENT_MISSING, or USAGE, if the program is missing; USAGE if it is too old, or refuses
 */
export interface AgentThreads {
  forkAt(request: ThreadForkRequest): Promise<NewThread>;
  /** Absent if it imports no other agent's sessions. */
  readonly imports?: ThreadImports;
  /** Creates a session with another agent's conversation. Absent if it cannot. */
  create?(request: CreateRequest): Promise<Omit<NewThread, 'turn'>>;
  /** Puts archived sessions back into the agent's database. Absent if its transcripts are files. */
  readonly restores?: ThreadRestores;
}

/** The agent's own import of its own sessions. Never changes or deletes what is in the database. */
export interface ThreadRestores {
  /**
   * Whether the database has a session. `TranscriptSource.inspect` also answers null for one that cannot be read.
   * @throws SmartForkError STORE_UNAVAILABLE if it cannot be read
   */
  holds(path: SourceReference): boolean;
  /**
   * @param copy a file with the session's bytes @param path where `bytes.restorePath` says that the session will be
   * @throws SmartForkError AGENT_MISSING; TRANSCRIPT_UNREADABLE if the session is there by now, or the copy is damaged; STORE_UNAVAILABLE;
   * USAGE if the import fails, and may have written a part
   */
  restore(copy: string, path: SourceReference, workingDirectory: string): Promise<void>;
}

/** The agent's own import of another agent's transcripts. */
export interface ThreadImports {
  /** Why a session cannot be imported, as far as is known without trying; null if it can. */
  whyNot(transcript: TranscriptFile): string | null;
  /** Characters that an import keeps of a tool call's output. */
  outputLength: number;
  /** Creates a session with its content, up to the turn; null: all of it. */
  fork(request: Omit<ThreadForkRequest, 'turn' | 'end'> & { turn: number | null }): Promise<NewThread>;
}
