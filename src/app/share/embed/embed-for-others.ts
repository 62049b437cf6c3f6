import type { Embedder } from '../../../ports/embedder.ts';
import type { PointStore } from '../../../ports/point-store.ts';
import type { RemoteStore } from '../../../ports/remote-store.ts';
import { type EmbedOptions, embedPending } from '../../index/embed-pending.ts';

export interface EmbedForOthersDependencies {
  remote: RemoteStore;
  embedder: Embedder;
  now(): number;
}

/** A text that is younger may still get its vector from the machine that wrote it. */
const PATIENCE_MS = 3_600_000;

/**
 * Makes the vectors of texts that other machines sent without, as one that has no model does. A server that takes another
 * model's vectors is left alone.
 * @returns how many texts got one.
 */
export async function embedForOthers(
  { remote, embedder, now }: EmbedForOthersDependencies,
  options: EmbedOptions = {},
): Promise<number> {
  const { id, dimensions } = embedder.model;
  const { model } = await remote.info();
  if (model !== null && (model.id !== id || model.dimensions !== dimensions)) return 0;
  return embedPending({ store: olderThan(remote, now() - PATIENCE_MS), embedder }, options);
}

/** Newest first: where all of a page are too young, the older ones come when these have aged. */
function olderThan(remote: RemoteStore, time: number): PointStore {
  return {
    ...remote,
    async pointsWithoutVector(limit) {
      const points = await remote.pointsWithoutVector(limit);
      return points.filter(({ payload }) => !(Date.parse(payload.timestamp ?? '') > time));
    },
  };
}
