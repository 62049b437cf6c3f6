import type { Problem } from '../domain/errors.ts';
import type { ModelRecord } from '../domain/model/model-record.ts';
import type { QueryVector } from '../domain/search/search.ts';

/**
 * Turns text into unit vectors.
 *
 * - Vectors have `model.dimensions` numbers and length 1. An empty text may give any unit vector.
 * - Results are in the order of the texts.
 * - Text longer than `model.maxTokens` is truncated, never refused.
 * - Calls may overlap; an adapter may serialize them.
 * - The first call loads the runtime; `close()` frees it; a later call loads it again.
 * - Throws SmartForkError MODEL_UNAVAILABLE if the model's files are missing or damaged.
 */
export interface Embedder extends QueryEmbedder {
  readonly model: ModelRecord;
  embedDocuments(texts: string[], signal?: AbortSignal): Promise<Float32Array[]>;
  embedQuery(text: string): Promise<Float32Array>;
  close(): Promise<void>;
}

/** Turns a query into a vector, or into its text if the store embeds. */
export interface QueryEmbedder {
  readonly model: { id: string; dimensions: number };
  embedQuery(text: string): Promise<QueryVector>;
}

/** Whether the model's files are complete. An absent model is a state, not an error. */
export type ModelFiles =
  | { state: 'ready'; directory: string }
  /** `lacksRuntime`: only the package that runs the model is absent. */
  | { state: 'absent'; directory: string; reason: string; lacksRuntime?: true }
  | { state: 'broken'; directory: string; reason: string };

/** Where texts are embedded: by the configured local model, or by a server, which needs no model on this machine. */
export type ModelState = ModelFiles | { state: 'server'; place: string };

/** Whether only the package that runs the model is absent. */
export function lacksRuntime(model: ModelState): boolean {
  return model.state === 'absent' && model.lacksRuntime === true;
}

/** Turns texts and queries into vectors, on this machine or on the server. */
export interface Embedding {
  /** The model that texts are chunked for, installed or not. */
  model(): Promise<ModelRecord>;
  state(): Promise<ModelState>;
  /** @throws SmartForkError MODEL_UNAVAILABLE where the server embeds. */
  embedder(): Promise<Embedder>;
  queries(): Promise<QueryEmbedder>;
  /** The folder in which this machine last found a model; null or absent if unknown. */
  lastFolder?(modelId: string): string | null;
}

/**
 * Backs off from a server whose embedding service refuses requests. All processes of this machine share the backoff: without it, each
 * request with texts to embed would be sent twice. Never throws; losing the backoff costs only a retry.
 */
export interface EmbeddingRefusals {
  /** The refusal in force; null if the service may be used. */
  current(): Problem | null;
  /** Starts a backoff, longer each time. */
  note(refusal: Problem): void;
  /** Ends the backoff: the service works. */
  clear(): void;
}
