import type { Shell } from '../domain/machine/shell.ts';

/** Files that hand a session's context to an agent; the user's alone. */
export interface ContextFiles {
  /** Writes one and returns its path. Those of long ago are removed by the way. */
  write(sessionId: string, markdown: string): string;
  remove(path: string): void;
}

export interface DriftRequest {
  /** A folder in the repository; `files` are relative to it, or absolute. */
  directory: string;
  /** The session's last commit, where it made one. */
  commit: string | null;
  /** When the session ended, ISO 8601. */
  time: string | null;
  branch: string | null;
  files: string[];
}

/** How far a repository has moved since a session. */
export interface GitDrift {
  /** What is checked out; null when that is no branch. */
  branch: string | null;
  /** Whether the session's branch is there; null when it had none. */
  branch_exists: boolean | null;
  /** Commits on what is checked out since the session; null when that cannot be told. */
  commits_since: number | null;
  /** The session's files that are different now, as they were given. */
  changed_files: string[];
}

/** Asks git about a folder; null when it is in no repository or git is not there. Never throws, changes nothing. */
export type GitHistory = (request: DriftRequest) => Promise<GitDrift | null>;

/** A log for people. Never throws; fields are paths, ids and numbers, never what a transcript says. */
export interface Log {
  info(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
  close(): Promise<void>;
}

export type LogFields = Record<string, string | number | boolean | null>;

/** What a folder on this machine says of its repository. */
export interface Repository {
  /** The work tree's top folder. */
  root: string;
  /** URL of the remote `origin` (else the first one), or null. */
  remoteUrl: string | null;
}

/** Looks at a folder; null when it doesn't exist here or is in no repository. Never throws. */
export type RepositoryProbe = (directory: string) => Repository | null;

/**
 * Opens a terminal that runs a command line of the user's shell. Never throws: a terminal that cannot be opened is an
 * answer, because the command can always be copied instead.
 */
export interface TerminalLauncher {
  launch(command: string, title: string): Promise<LaunchResult>;
}

/** `terminalId` names what was opened, as far as the terminal says: `tmux:work:2.%7`, or just `xterm`. */
export type LaunchResult = { terminalId: string } | { failed: string };

/** What use cases need to know of the computer they run on. */
export interface ThisMachine {
  /** The name under which its sessions are stored. */
  name: string;
  platform: NodeJS.Platform;
  /** The shell that command lines are written for. */
  shell: Shell;
  now(): number;
  directoryExists(path: string): boolean;
}

/** A file that is there, as `stat` shows it. */
export interface PresentFile {
  size: number;
  mtimeMs: number;
}

/**
 * Transcripts that smart-fork writes: where an agent finds them, or for a moment to be read.
 *
 * - A file appears whole or not at all, and only once all its parts came: an iterable that throws leaves nothing.
 * - Files are their owner's alone.
 * - Throws SmartForkError TRANSCRIPT_UNREADABLE that names the path when something cannot be written.
 */
export interface TranscriptFiles {
  /** Null when there is none. */
  look(path: string): PresentFile | null;
  /**
   * `replaces` is the file that is to give way, as it was when it was looked at: another one, or one where none is expected,
   * is left alone and reported.
   */
  write(path: string, parts: AsyncIterable<Uint8Array>, replaces: PresentFile | null): Promise<void>;
  /** Lends a folder that is deleted when the work is done. */
  borrowFolder<T>(work: (folder: string) => Promise<T>): Promise<T>;
  remove(path: string): void;
}

/** Calls back with the paths of transcripts that have changed, a moment after the last change; returns how to stop. */
export type WatchTranscripts = (
  roots: string[],
  listener: (paths: string[]) => void,
) => Promise<() => Promise<void>>;
