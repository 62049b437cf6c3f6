import type { EmbeddingRefusals } from '../../ports/embedder.ts';
import type { KnownCollection } from '../../ports/outbox.ts';

/** Where the collection is, and what it is made for. */
export interface QdrantOptions {
  /** `https://host`, `http://host:6333`, `https://host/behind/a/prefix`. */
  url: string;
  /** Null for a server without keys. */
  apiKey: string | null;
  collection: string;
  /** Who only reads does not make it when it is not there: everything throws COLLECTION_MISSING then. */
  readOnly?: boolean;
  /** What the collection is made for when it does not exist yet. */
  model: { id: string; dimensions: number };
  /** Name of the chunk sizes the points were cut with, kept by the store. */
  chunking: string;
  /** The key that texts come sealed with; null or absent for plain ones. See StoreInfo. */
  seal?: string | null;
  /** The server embeds texts by itself, with `model`; absent: vectors come from machines. */
  refusals?: EmbeddingRefusals;
  /** What is remembered of the collection from one process to the next. */
  memory?: CollectionMemory;
  timeouts?: Partial<QdrantTimeouts>;
  retries?: Partial<RetrySettings>;
  batches?: Partial<BatchLimits>;
  /** Token to index of a sparse vector; every machine must use the same. */
  hashToken?: (token: string) => number;
}

export interface CollectionMemory {
  /** Null: it is to be looked at. */
  recall(): KnownCollection | null;
  remember(known: KnownCollection): void;
}

/** In milliseconds. */
export interface QdrantTimeouts {
  /** A read with all its retries. */
  read: number;
  /** One attempt to write. */
  write: number;
}

export interface RetrySettings {
  reads: number;
  writes: number;
  /** The first wait, doubled each time up to `longestWait`. Milliseconds. */
  wait: number;
  longestWait: number;
  /** A server that asks to be left alone for longer is given up. Milliseconds. */
  longestRetryAfter: number;
}

export interface BatchLimits {
  points: number;
  /** Of a request's body; a server cuts the connection above 32 MB. */
  bytes: number;
  /** Requests under way at once. */
  requests: number;
}

export const DEFAULT_TIMEOUTS: QdrantTimeouts = { read: 10_000, write: 60_000 };

export const DEFAULT_RETRIES: RetrySettings = {
  reads: 2,
  writes: 5,
  wait: 200,
  longestWait: 10_000,
  longestRetryAfter: 60_000,
};

export const DEFAULT_BATCHES: BatchLimits = { points: 256, bytes: 4_000_000, requests: 4 };
