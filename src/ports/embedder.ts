import type { Problem } from '../domain/errors.ts';
import type { ModelRecord } from '../domain/model/model-record.ts';
import type { QueryVector } from '../domain/search/search.ts';

/**
 * Turns text into unit vectors.
 *
 * - Vectors have `model.dimensions` numbers and length 1 (an empty text may give any unit vector).
 * - Results stand in the order of the texts, however the adapter batches them.
 * - Text longer than `model.maxTokens` is cut, never refused.
 * - Calls may overlap; an adapter may run them one after another.
 * - The runtime is loaded with the first call, not when the embedder is made.
 * - Throws SmartForkError MODEL_UNAVAILABLE when the model's files are missing or broken.
 * - `close()` frees the runtime; a later call loads it again.
 */
export interface Embedder extends QueryEmbedder {
  readonly model: ModelRecord;
  embedDocuments(texts: string[], signal?: AbortSignal): Promise<Float32Array[]>;
  embedQuery(text: string): Promise<Float32Array>;
  close(): Promise<void>;
}

/** Turns a query into what a store can compare its vectors with: where the store embeds by itself, that is the text. */
export interface QueryEmbedder {
  readonly model: { id: string; dimensions: number };
  embedQuery(text: string): Promise<QueryVector>;
}

/** Whether a model's files are here and whole; an absent model is a state, not an error. */
export type ModelFiles =
  | { state: 'ready'; directory: string }
  | { state: 'absent'; directory: string; reason: string }
  | { state: 'broken'; directory: string; reason: string };

/** What there is to embed with: the configured model here, or a store that embeds by itself, so that none has to run here. */
export type ModelState = ModelFiles | { state: 'server'; place: string };

/** What turns texts and queries into vectors: a model on this machine, or the server. */
export interface Embedding {
  /** The model that texts are cut for, installed or not. */
  model(): Promise<ModelRecord>;
  state(): Promise<ModelState>;
  /** @throws SmartForkError MODEL_UNAVAILABLE where the server embeds. */
  embedder(): Promise<Embedder>;
  queries(): Promise<QueryEmbedder>;
}

/**
 * What this machine remembers of a server whose embedding service refuses: it is left alone for a while, by all processes, since
 * every request with texts to embed would be made twice. Never throws: what cannot be remembered is tried again.
 */
export interface EmbeddingRefusals {
  /** Null when the service may be asked. */
  current(): Problem | null;
  /** The service is left alone from now on, longer each time. */
  note(refusal: Problem): void;
  /** It does what it is asked. */
  clear(): void;
}
