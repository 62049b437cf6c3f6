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
