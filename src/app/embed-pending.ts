import { pointText } from '../domain/point.ts';
import type { Progress } from '../domain/result.ts';
import type { Embedder } from '../ports/embedder.ts';
import type { PointStore } from '../ports/point-store.ts';

/** Points that are asked for at once, and of them how many are embedded between two writes. */
const FETCH = 1024;
const SLICE = 64;

/**
 * Embeds points that have no vector: newest sessions first, intents before chunks. The store itself is the queue, so an
 * interruption loses the slice under way and nothing else.
 * @returns how many points got a vector.
 */
export async function embedPending(
  deps: { store: PointStore; embedder: Embedder },
  options: { signal?: AbortSignal; onProgress?: (progress: Progress) => void } = {},
): Promise<number> {
  const { store, embedder } = deps;
  const waiting = await store.countWithoutVector();
  const total = waiting.intents + waiting.chunks;
  const { id, dimensions } = embedder.model;
  let done = 0;
  const stopped = () => options.signal?.aborted === true;
  while (!stopped()) {
    const points = await store.pointsWithoutVector(FETCH);
    if (points.length === 0) break;
    for (let at = 0; at < points.length && !stopped(); at += SLICE) {
      const slice = points.slice(at, at + SLICE);
      const vectors = await embedder.embedDocuments(
        slice.map(({ payload }) => pointText(payload)),
        options.signal,
      );
      const items = slice.flatMap((point, index) => {
        const vector = vectors[index];
        return vector === undefined
          ? []
          : [{ id: point.id, contentHash: point.payload.content_hash, vector }];
      });
      await store.setVectors({ id, dimensions }, items);
      done += slice.length;
      options.onProgress?.({ unit: 'point', done: Math.min(done, total), total });
    }
  }
  return done;
}
