import type { SessionDescription } from '../../../app/read/describe-session.ts';
import type { Fit } from '../../../domain/search/certainty.ts';
import type { Ink } from '../../terminal/ink.ts';

/** What the screen shows besides its state. */
export interface ScreenContext {
  query: string;
  /** Confidence in the first result, 0 to 100; null if unknown. */
  confidence: number | null;
  /** The repository whose sessions were preferred. */
  preferred?: string;
  /** See SearchResponse. */
  fit?: Fit;
  nowMs: number;
  ink: Ink;
  rows: number;
  /** Description of the result in view; null while it is being read. */
  description: SessionDescription | null;
  /** Progress or an error, on one line. */
  status: string | null;
}
