import type { Commit, Role } from './session.ts';

/**
 * An event of a transcript, in the order of its lines. `inherited`: copied from the session's parent.
 * `remote`: the URL of the git remote, without user name and password.
 */
export type TranscriptEvent =
  | {
      kind: 'message';
      role: Role;
      /** Cleaned text; for role `tool` one line that names the call. */
      text: string;
      timestamp: string | null;
      uuid: string | null;
      inherited: boolean;
      /** A prompt that was queued while the agent worked. The transcript may hold it a second time. */
      queued?: boolean;
      /** Asks smart-fork, or repeats its answer; set by `markOwnTurns`. Shown, but not indexed. */
      own?: true;
    }
  /** smart-fork was called. By the user: a turn begins. `answers`: it returned sessions, which the agent may repeat. */
  | { kind: 'own'; by: 'user' | 'agent'; answers: boolean }
  | { kind: 'file'; path: string; inherited: boolean }
  | { kind: 'commit'; commit: Commit; inherited: boolean }
  | { kind: 'title'; source: 'custom' | 'ai' | 'summary'; text: string }
  | {
      kind: 'context';
      cwd?: string;
      relocated?: boolean;
      branch?: string;
      remote?: string;
      model?: string;
      version?: string;
      timestamp?: string;
    }
  | { kind: 'parent'; sessionId: string }
  | { kind: 'compaction'; timestamp: string | null; summary: string | null };
