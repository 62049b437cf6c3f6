import type { PointStore } from '../../../ports/point-store.ts';

/**
 * The local store of a machine whose server embeds: nothing waits for vectors here. Those it has from before are another model's:
 * they are neither sent nor counted, and its texts may be cut anew.
 */
export function leaveVectorsToServer<S extends PointStore>(local: S): S {
  return {
    ...local,
    info: async () => ({ ...(await local.info()), model: null }),
    pointsWithoutVector: async () => [],
    countWithoutVector: async () => ({ intents: 0, chunks: 0 }),
    count: async (filter) => ({ ...(await local.count(filter)), vectors: 0 }),
    getVectors: async () => new Map(),
  };
}
