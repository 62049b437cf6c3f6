import type { SessionDescription } from '../../../app/read/describe-session.ts';
import type { FoundTogether } from '../../../domain/search-result.ts';
import type { Ink } from '../../terminal/ink.ts';

/** What the screen shows besides its state. */
export interface ScreenContext {
  query: string;
  /** Confidence in the first result, 0 to 100; null if unknown. */
  confidence: number | null;
  /** The repository whose sessions were preferred. */
  preferred?: string;
  /** Results that cover the query together. */
  together?: FoundTogether;
  /** In how many sessions each word of the query occurs; only if nothing matched well. */
  words?: { sessions: number }[];
  nowMs: number;
  ink: Ink;
  rows: number;
  /** Description of the result in view; null while it is being read. */
  description: SessionDescription | null;
  /** Progress or an error, on one line. */
  status: string | null;
}
