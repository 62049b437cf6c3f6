import type { SessionDescription } from '../../../app/read/describe-session.ts';
import type { Fit } from '../../../domain/search/certainty.ts';
import type { Ink } from '../../terminal/ink.ts';
import type { StoryLine } from './story-lines.ts';

/** What the screen shows besides its state. */
export interface ScreenContext {
  /** The repository whose sessions were preferred. */
  preferred?: string;
  /** See SearchResponse. */
  fit?: Fit;
  nowMs: number;
  ink: Ink;
  rows: number;
  /** Description of the result in view; null while it is being read. */
  description: SessionDescription | null;
  /** The lines of the session that is read. */
  story: readonly StoryLine[];
  /** Progress or an error, on one line. */
  status: string | null;
}
