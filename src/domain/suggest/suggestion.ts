import type { IdeaPayload, SessionPayload } from '../point/point.ts';

/** Whether new sessions are told of earlier ones: not at all, their agents alone, or their users too. */
export const SUGGESTING = ['off', 'quiet', 'on'] as const;
export type Suggesting = (typeof SUGGESTING)[number];

/** When something is suggested: as a session starts, or with its first prompt. */
export type Moment = 'start' | 'prompt';

/** What a new session is told about earlier ones of its repository. */
export type Suggestion =
  | {
      moment: 'start';
      branch: string | null;
      /** The last session on the branch. */
      latest: SessionPayload | null;
      /** Todos and questions left open by sessions of the branch, newest first. */
      open: IdeaPayload[];
    }
  | {
      moment: 'prompt';
      /** The session that changed most of the files which the prompt names. */
      session: SessionPayload;
      files: string[];
    };
