import type { ModelFiles } from '../embedder.ts';

/**
 * Reads the query together with each passage, which is slower than comparing vectors, and more exact.
 *
 * - Scores are in the order of the texts; the higher, the better the text answers the query. They compare within one call only.
 * - The first call loads the model; `close()` frees it; a later call loads it again.
 * - Throws the signal's reason once it is aborted, and SmartForkError MODEL_UNAVAILABLE if the model cannot run.
 */
export interface Reranker {
  /** As the setting names it. */
  readonly name: string;
  state(): Promise<ModelFiles>;
  score(query: string, texts: string[], signal: AbortSignal): Promise<number[]>;
  close(): Promise<void>;
}
