import type * as z from 'zod';
import type { drift } from '../domain/json/fork.ts';
import type { Shell } from '../domain/machine/shell.ts';

/**
 * Small notes that one search leaves for the next without opening a database. Losing them costs a repeated hint. Never throws.
 */
export interface SearchNotes {
  /** The folder in which a model was last found. */
  modelFolder(modelId: string): string | null;
  setModelFolder(modelId: string, folder: string): void;
  /** The folder of the model that was found last. */
  lastModelFolder(): string | null;
  /** The day on which the user was last given a hint. */
  toldOn(what: string): string | null;
  setToldOn(what: string, day: string): void;
  /** The number of sessions in a server's collection when its size was last noted. */
  sessionsIn(collection: string): number | null;
  setSessionsIn(collection: string, sessions: number): void;
}

/** Files that hand a session's context to an agent, readable only by the user. */
export interface ContextFiles {
  /** Writes a file and returns its path; deletes old ones. */
  write(sessionId: string, markdown: string): string;
  remove(path: string): void;
  /** Removes these sessions' files. */
  removeOf(sessionIds: string[]): void;
}

export interface DriftRequest {
  /** A folder in the repository. `files` are relative to it, or absolute. */
  directory: string;
  /** The session's last commit; null when it made none. */
  commit: string | null;
  /** When the session ended, ISO 8601. */
  time: string | null;
  branch: string | null;
  files: string[];
}

export type GitDrift = z.infer<typeof drift>;

/** Compares a folder with the state at the end of a session; null outside a repository or without git. Never throws, changes nothing. */
export type ReadDrift = (request: DriftRequest) => Promise<GitDrift | null>;

/** A log for people. Never throws. Fields are paths, ids and numbers, never transcript text. */
export interface Log {
  info(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  close(): Promise<void>;
}

export type LogFields = Record<string, string | number | boolean | null>;

/** The repository of a folder on this machine. */
export interface Repository {
  /** The top folder of the repository's main work tree, also from a linked worktree. */
  root: string;
  /** URL of the remote `origin` (else the first one), or null. */
  remoteUrl: string | null;
}

/**
 * Null outside a repository. A deleted folder may have been a worktree: its path and the branch that was checked out there are
 * used to find its repository. Never throws.
 */
export type RepositoryProbe = (directory: string, branch?: string | null) => Repository | null;

/**
 * Opens a terminal that runs a shell command line. Never throws: if no terminal can be opened, the user copies the command.
 */
export interface TerminalLauncher {
  launch(command: string, title: string): Promise<LaunchResult>;
}

/** `terminalId` names the window as precisely as the terminal reports it: `tmux:work:2.%7`, or just `xterm`. */
export type LaunchResult = { terminalId: string } | { failed: string };

/** What use cases need to know about this computer. */
export interface ThisMachine {
  /** Stored with its sessions. */
  name: string;
  platform: NodeJS.Platform;
  /** Command lines are written for this shell. */
  shell: Shell;
  now(): number;
  /** Whether commands can be started in the folder. Never throws: the path comes from a transcript. */
  directoryExists(path: string): boolean;
}

/** An existing file, as reported by `stat`. */
export interface PresentFile {
  size: number;
  mtimeMs: number;
}

/**
 * Transcripts that smart-fork writes: restored ones in an agent's folder, and temporary ones to read from.
 *
 * - A file appears whole or not at all: an iterable that throws leaves nothing behind.
 * - Only the user can read the files.
 * - Throws SmartForkError TRANSCRIPT_UNREADABLE, with the path, when something cannot be written.
 */
export interface TranscriptFiles {
  /** Null when there is none. */
  look(path: string): PresentFile | null;
  /**
   * `replaces` is the file to overwrite, as `look` returned it. It throws, and changes nothing, when `path` is
   * any other file.
   */
  write(path: string, parts: AsyncIterable<Uint8Array>, replaces: PresentFile | null): Promise<void>;
  /** Runs `work` with a temporary folder, which is deleted afterwards. */
  borrowFolder<T>(work: (folder: string) => Promise<T>): Promise<T>;
  /** Deletes what killed processes left behind: temporary folders, or unfinished files next to `path`. */
  removeAbandoned(path?: string): void;
  remove(path: string): void;
}

/** Calls back with the paths of changed transcripts, shortly after the last change. Returns a function that stops watching. */
export type WatchTranscripts = (
  roots: string[],
  listener: (paths: string[]) => void,
) => Promise<() => Promise<void>>;

/**
 * A folder of exported sessions. Names are relative, with `/`. Files that smart-fork did not write are neither listed nor
 * overwritten.
 * @throws SmartForkError TRANSCRIPT_UNREADABLE when the folder cannot be read or written.
 */
export interface ExportFolder {
  readonly path: string;
  list(): string[];
  /** Whether the file begins with this text. */
  startsWith(name: string, text: string): boolean;
  /** Writes the whole file or nothing. False if another program's file has this name. */
  write(name: string, text: string): boolean;
  remove(name: string): void;
}

/** qmd, a search engine for Markdown files. */
export interface MarkdownSearch {
  /** Registers each existing folder as a collection of the given name, then updates the index of all collections. */
  register(folders: { name: string; path: string }[]): Promise<void>;
  /** Embeds the documents of these collections that exist, with qmd's own model, which it may have to download. Null, or why it cannot. */
  embed(names: string[], signal: AbortSignal): Promise<string | null>;
}

export interface CommitFacts {
  hash: string;
  subject: string;
  /** Author date, ISO 8601: a rebase does not change it. */
  time: string;
}

export interface BlamedLine {
  /** Line number, counted from 1, in the current file. */
  line: number;
  /** Null if the line has uncommitted changes. */
  commit: CommitFacts | null;
}

/** Reads commits with git. Never throws, changes nothing, and runs nothing that the repository contains or configures. */
export interface GitCommits {
  /** Null if there is no such commit, no repository, or no git. */
  commit(directory: string, revision: string): Promise<CommitFacts | null>;
  /** The newest commits that were written after a time, on any branch or on none; empty without git or a repository. */
  since(directory: string, time: string, most: number): Promise<CommitFacts[]>;
  /** The commit that last changed each line. Null if the file is not committed or not in a repository, or without git. */
  blame(path: string): Promise<BlamedLine[] | null>;
}
