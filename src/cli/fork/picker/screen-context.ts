import type { SessionDescription } from '../../../app/read/describe-session.ts';
import type { FoundTogether } from '../../../domain/search-result.ts';
import type { Ink } from '../../terminal/ink.ts';

/** The inputs of the screen other than its state. */
export interface ScreenContext {
  query: string;
  /** 0 to 100, of the first result; null: unknown. */
  confidence: number | null;
  /** The repository whose sessions were moved up. */
  preferred?: string;
  /** Results that cover the query together. */
  together?: FoundTogether;
  nowMs: number;
  ink: Ink;
  rows: number;
  /** Of the result in view; null while it is being read. */
  description: SessionDescription | null;
  /** Progress or an error, in one line. */
  status: string | null;
}
