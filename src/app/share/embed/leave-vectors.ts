import { type PointStore, withoutVectors } from '../../../ports/point-store.ts';

/**
 * The local store of a machine whose server embeds: nothing here waits for vectors. Vectors from before are another model's:
 * they are neither sent nor counted.
 */
export function leaveVectorsToServer<S extends PointStore>(local: S): S {
  const waiting = { intents: 0, chunks: 0 };
  return {
    ...local,
    info: async () => ({ ...(await local.info()), model: null }),
    pointsWithoutVector: async () => [],
    count: async (filter) => ({ ...(await local.count(filter)), waiting, vectors: 0 }),
    getPoints: (ids) => local.getPoints(ids),
    async find(query) {
      const found = await local.find(withoutVectors(query));
      return { ...found, model: null, coverage: { ...found.coverage, waiting } };
    },
  };
}
