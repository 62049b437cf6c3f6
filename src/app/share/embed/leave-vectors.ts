import type { Coverage } from '../../../domain/search/search.ts';
import { type PointStore, withoutVectors } from '../../../ports/point-store.ts';

/**
 * The local store of a machine whose server embeds: nothing here is pending. Existing vectors are from another model, so they are
 * neither sent nor counted.
 */
export function leaveVectorsToServer<S extends PointStore>(local: S): S {
  const without = <C extends Coverage>(coverage: C): C => ({
    ...coverage,
    waiting: { intents: 0, chunks: 0 },
    memory: { ...coverage.memory, waiting: 0 },
  });
  return {
    ...local,
    info: async () => ({ ...(await local.info()), model: null }),
    pointsWithoutVector: async () => [],
    count: async (filter) => ({ ...without(await local.count(filter)), vectors: 0 }),
    getPoints: (ids) => local.getPoints(ids),
    async find(query) {
      const found = await local.find(withoutVectors(query));
      return { ...found, model: null, coverage: without(found.coverage) };
    },
  };
}
