import { pointText, type SessionPayload } from '../../domain/point/point.ts';
import { pointId } from '../../domain/point/point-id.ts';
import type { Progress } from '../../domain/summary.ts';
import type { Embedder } from '../../ports/embedder.ts';
import type { PointStore } from '../../ports/point-store.ts';

const SLICE = 32;

/** Embeds the pending points of one session ahead of the queue. Returns the number of points embedded. */
export async function embedSession(
  deps: { store: PointStore; embedder: Embedder },
  session: SessionPayload,
  options: { signal?: AbortSignal; onProgress?: (progress: Progress) => void } = {},
): Promise<number> {
  const { store, embedder } = deps;
  const { id, dimensions } = embedder.model;
  const stored = await store.getPoints(pointIds(session), { hasVector: true });
  const waiting = stored.filter(({ hasVector }) => !hasVector);
  let done = 0;
  while (done < waiting.length && options.signal?.aborted !== true) {
    options.onProgress?.({ unit: 'point', done, total: waiting.length });
    const slice = waiting.slice(done, done + SLICE);
    const texts = slice.map(({ payload }) => pointText(payload));
    const vectors = await embedder.embedDocuments(texts, options.signal);
    const items = slice.flatMap(({ id: point, payload }, index) => {
      const vector = vectors[index];
      return vector === undefined ? [] : [{ id: point, contentHash: payload.content_hash, vector }];
    });
    await store.setVectors({ id, dimensions }, items);
    done += slice.length;
  }
  return done;
}

function pointIds({ session_id, intent_count, chunk_count }: SessionPayload): string[] {
  return [
    ...Array.from({ length: intent_count }, (_, index) => pointId(session_id, 'intent', index)),
    ...Array.from({ length: chunk_count }, (_, index) => pointId(session_id, 'chunk', index)),
  ];
}
