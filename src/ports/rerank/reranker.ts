import type { ModelFiles } from '../embedder.ts';

/**
 * Scores each passage together with the query, which is slower but more accurate than comparing vectors.
 *
 * - Scores are in the order of the texts. Higher is better; only scores of the same call are comparable.
 * - The first call loads the model; `close()` frees it; a later call loads it again.
 * - Throws the signal's reason once it is aborted, and SmartForkError MODEL_UNAVAILABLE if the model cannot run.
 */
export interface Reranker {
  /** The setting's value. */
  readonly name: string;
  state(): Promise<ModelFiles>;
  score(query: string, texts: string[], signal: AbortSignal): Promise<number[]>;
  close(): Promise<void>;
}
