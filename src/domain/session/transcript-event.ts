import type { IdeaKind } from '../memory/memory.ts';
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
      /** Of a tool call: its id, which the event of its result repeats. */
      call?: string;
      /** Of the agent: whether it ended its turn with this, if the transcript says so. */
      closes?: boolean;
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
  | { kind: 'compaction'; timestamp: string | null; summary: string | null }
  /** The agent asked the user, with options to choose from. `key` joins a question to its answer. */
  | { kind: 'asked'; call: string; questions: AskedQuestion[]; inherited: boolean }
  | { kind: 'answered'; call: string; answers: { key: string; answer: string }[]; inherited: boolean }
  /** A plan put before the user. Its verdict is the result of the call; null: the next prompt is. */
  | { kind: 'plan'; call: string | null; text: string; inherited: boolean }
  /** The agent's list of steps. `whole`: these are all there are; else those that were added or changed. */
  | { kind: 'todos'; items: TodoItem[]; whole: boolean; inherited: boolean }
  /** A call ended. `error`: the lines of its output that tell what went wrong; also of a command that passed the error on. */
  | { kind: 'result'; call: string; failed: boolean; error: string | null; inherited: boolean }
  /** The command of a call goes on in the background, or a call waits for it; both name its process. */
  | { kind: 'process'; call: string; process: string }
  | { kind: 'pull request'; url: string; title: string | null; inherited: boolean }
  /** The agent called smart-fork's tool `remember`. */
  | { kind: 'remembered'; idea: RememberedIdea; inherited: boolean };

export interface RememberedIdea {
  kind: IdeaKind;
  content: string;
  /** As the agent names them. */
  entities: string[];
}

export interface AskedQuestion {
  key: string;
  question: string;
  options: string[];
}

export interface TodoItem {
  /** The agent's number of it; null in a list without numbers. */
  id: string | null;
  /** Null when only the status changes. */
  text: string | null;
  status: 'open' | 'active' | 'done' | 'dropped' | null;
}
