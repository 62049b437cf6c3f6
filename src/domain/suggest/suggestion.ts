import type { IdeaPayload, SessionPayload } from '../point/point.ts';

/** Whether new sessions are told about earlier ones: not at all, only the agent, or the user too. */
export const SUGGESTING = ['off', 'quiet', 'on'] as const;

/** When a suggestion is made: at the start of a session, or with its first prompt. */
export type Moment = 'start' | 'prompt';

/** What a new session is told about earlier ones of its repository. */
export type Suggestion =
  | {
      moment: 'start';
      branch: string | null;
      /** The most recent session on the branch. */
      latest: SessionPayload | null;
      /** Todos and questions left open by the branch's sessions, newest first. */
      open: IdeaPayload[];
    }
  | {
      moment: 'prompt';
      /** The session that changed most of the files named in the prompt. */
      session: SessionPayload;
      files: string[];
    };
