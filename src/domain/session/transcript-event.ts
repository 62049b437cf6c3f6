import type { GitOutput } from './calls/git-output.ts';
import type { GitStep } from './calls/git-steps.ts';
import type { IdeaKind } from './ideas.ts';
import type { Commit, Role } from './session.ts';

/**
 * An event of a transcript, in the order of its lines. `inherited`: copied from the session's parent.
 * `remote`: the git remote's URL, without user name and password.
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
      /** A prompt queued while the agent was working. The transcript may contain it a second time. */
      queued?: boolean;
      /** The user's words in a dialog of the agent's: an answer, a reason, an approved plan. They belong to the open turn. */
      reply?: Reply;
      /** For a tool call: its id, repeated by the result event. */
      call?: string;
      /** For a shell command: what it does with git. */
      git?: GitStep[] | undefined;
      /** For the agent: whether this ended its turn, if the transcript says so. */
      closes?: boolean;
      /** A query to smart-fork, or a repetition of its answer; set by `markOwnTurns`. Shown, but not indexed. */
      own?: true;
    }
  /** A call of smart-fork. If the user makes it, a turn begins. `answers`: it returned sessions, which the agent may repeat. */
  | { kind: 'own'; by: 'user' | 'agent'; answers: boolean }
  | { kind: 'file'; path: string; inherited: boolean }
  /** A commit that git reported, and the call that made it. */
  | { kind: 'commit'; commit: Commit; call?: string | null; inherited: boolean }
  /** `custom`: an empty text takes the name back. `name`: the agent's name, which the user gives to a session, or a lead to a member of its team. */
  | {
      kind: 'title';
      source: 'custom' | 'ai' | 'summary' | 'name';
      text: string;
      inherited?: boolean | undefined;
    }
  | {
      kind: 'context';
      cwd?: string;
      relocated?: boolean;
      branch?: string;
      remote?: string;
      model?: string;
      version?: string;
      /** The session belongs to a team of agents. */
      team?: true;
      timestamp?: string;
    }
  | { kind: 'parent'; sessionId: string }
  /** The conversation goes on in another session, which does not name this one. */
  | { kind: 'continued'; sessionId: string }
  /**
   * The user went back: these turns no longer belong to the conversation. Either the ids of all messages that are no longer part of
   * it, which replace those of the event before, or the number of turns that were taken back from the end.
   */
  | { kind: 'rewound'; messages: string[] }
  | { kind: 'rewound'; last: number }
  | { kind: 'compaction'; timestamp: string | null; summary: string | null }
  /** A multiple-choice question to the user. `key` links a question to its answer. */
  | { kind: 'asked'; call: string; questions: AskedQuestion[]; inherited: boolean }
  | { kind: 'answered'; call: string; answers: { key: string; answer: string }[]; inherited: boolean }
  /** A plan presented to the user. The verdict is the call's result or, if null, the next prompt. */
  | { kind: 'plan'; call: string | null; text: string; inherited: boolean }
  /** The agent's step list. `whole`: the complete list; otherwise only new and changed steps. */
  | { kind: 'todos'; items: TodoItem[]; whole: boolean; inherited: boolean }
  /**
   * The end of a call. `error`: the output lines that explain a failure, which a successful command may print too.
   */
  | ({ kind: 'result'; call: string; failed: boolean; error: string | null; inherited: boolean } & GitOutput)
  /** A call's command continues in the background, or a call waits for one; both name its process. */
  | { kind: 'process'; call: string; process: string }
  | { kind: 'pull request'; url: string; title: string | null; inherited: boolean }
  /** A call of smart-fork's tool `remember`. */
  | { kind: 'remembered'; idea: RememberedIdea; inherited: boolean };

/** What the user's words in a dialog are: a typed answer to a question, the reason for a refusal, an approved plan. */
export type Reply = 'answer' | 'reason' | 'plan';

export interface RememberedIdea {
  kind: IdeaKind;
  content: string;
  /** Named as the agent named them. */
  entities: string[];
}

export interface AskedQuestion {
  key: string;
  question: string;
  options: string[];
}

export interface TodoItem {
  /** The agent's own number for it; null in a list without numbers. */
  id: string | null;
  /** Null if only the status changes. */
  text: string | null;
  status: 'open' | 'active' | 'done' | 'dropped' | null;
}

/** Whether an event begins a turn. */
export function isPrompt(event: TranscriptEvent): event is Extract<TranscriptEvent, { kind: 'message' }> {
  return event.kind === 'message' && event.role === 'user' && event.reply === undefined;
}
