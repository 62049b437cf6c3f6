import { type Point, pointText, type TextPayload } from '../../domain/point/point.ts';
import type { Progress } from '../../domain/summary.ts';
import type { Embedder } from '../../ports/embedder.ts';
import type { PointStore } from '../../ports/point-store.ts';

/** Points fetched at once, and points embedded between two writes. */
const FETCH = 1024;
const SLICE = 64;

export interface EmbedOptions {
  /** Points between two writes, the most that an interruption can lose. */
  slice?: number;
  /** Stops after this many points. */
  limit?: number;
  /** Only texts written no later than this, in milliseconds since the epoch. */
  writtenBefore?: number;
  signal?: AbortSignal;
  onProgress?: (progress: Progress) => void;
}

/**
 * Embeds points without a vector, newest sessions first: intents, then chunks, then ideas and spans. The store is the queue, so an
 * interruption loses only the current slice.
 * @returns the number of points embedded.
 */
export async function embedPending(
  deps: { store: PointStore; embedder: Embedder },
  options: EmbedOptions = {},
): Promise<number> {
  const { store, embedder } = deps;
  const { waiting, memory } = await store.count();
  const total = waiting.intents + waiting.chunks + memory.waiting;
  const limit = options.limit ?? Number.POSITIVE_INFINITY;
  const before = options.writtenBefore ?? Number.POSITIVE_INFINITY;
  const size = options.slice ?? SLICE;
  let done = 0;
  const stopped = () => options.signal?.aborted === true || done >= limit;
  while (!stopped()) {
    const found = await store.pointsWithoutVector(Math.min(FETCH, limit - done));
    // Newest first: if the whole page is too recent, older points wait until it no longer is.
    const points = found.filter(({ payload }) => !(Date.parse(payload.timestamp ?? '') > before));
    if (points.length === 0) break;
    for (let at = 0; at < points.length && !stopped(); at += size) {
      const slice = points.slice(at, at + size);
      const vectors = await embedSlice(embedder, slice, options.signal);
      if (vectors === null) break;
      await storeVectors(store, embedder, slice, vectors);
      done += slice.length;
      options.onProgress?.({ unit: 'point', done: Math.min(done, total), total });
    }
  }
  return done;
}

type TextPoint = Point<TextPayload>;

/** Null if interrupted. */
async function embedSlice(
  embedder: Embedder,
  slice: TextPoint[],
  signal: AbortSignal | undefined,
): Promise<Float32Array[] | null> {
  try {
    return await embedder.embedDocuments(
      slice.map(({ payload }) => pointText(payload)),
      signal,
    );
  } catch (error) {
    if (signal?.aborted === true) return null;
    throw error;
  }
}

async function storeVectors(
  store: PointStore,
  { model }: Embedder,
  slice: TextPoint[],
  vectors: Float32Array[],
): Promise<void> {
  const items = slice.flatMap((point, index) => {
    const vector = vectors[index];
    return vector === undefined ? [] : [{ id: point.id, contentHash: point.payload.content_hash, vector }];
  });
  await store.setVectors({ id: model.id, dimensions: model.dimensions }, items);
}
