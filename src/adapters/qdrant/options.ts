import type { EmbeddingRefusals } from '../../ports/embedder.ts';

export interface QdrantOptions {
  /** `https://host`, `http://host:6333`, `https://host/behind/a/prefix`. */
  url: string;
  /** Null for a server without keys. */
  apiKey: string | null;
  collection: string;
  /** Never creates the collection: if it is missing, every call throws COLLECTION_MISSING. */
  readOnly?: boolean;
  /** The model that a new collection is created for. */
  model: { id: string; dimensions: number };
  /** Layout of a new collection; null: the server's default. */
  layout?: { shards: number | null; replicas: number | null; writeConsistency: number | null };
  /** Name of the chunk sizes, recorded in the store. */
  chunking: string;
  /** Id of the key that seals the texts; null or absent for plain texts. See StoreInfo. */
  seal?: string | null;
  /** Set if the server embeds texts with `model`; absent if the machines compute the vectors. */
  refusals?: EmbeddingRefusals;
  /** Keeps the size of the collection between processes: a search knows then how many hits to ask for. */
  size?: SizeNote;
  /** Milliseconds since 1970; replaced in tests. */
  now?: () => number;
  timeouts?: Partial<QdrantTimeouts>;
  retries?: Partial<RetrySettings>;
  batches?: Partial<BatchLimits>;
}

/** The number of sessions in the collection when its size was last noted. */
export interface SizeNote {
  read(): number | null;
  write(sessions: number): void;
}

/** In milliseconds. */
interface QdrantTimeouts {
  /** A read with all its retries. */
  read: number;
  /** One attempt to write. */
  write: number;
}

export interface RetrySettings {
  reads: number;
  writes: number;
  /** The first pause, doubled each time up to `longestWait`. Milliseconds. */
  wait: number;
  longestWait: number;
  /** A longer Retry-After fails at once. Milliseconds. */
  longestRetryAfter: number;
}

export interface BatchLimits {
  points: number;
  /** Size of a request's body. The server drops the connection above 32 MB. */
  bytes: number;
  /** Requests in flight at once. */
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
