import { describe, it } from 'vitest';
import { openQdrantPointStore } from '../../../src/adapters/qdrant/qdrant-point-store.ts';
import { describeEmbeddingStore, type EmbeddingPlace } from '../../contract/embedding-store.ts';
import { CLOUD_MODEL, inferenceService } from '../../support/qdrant/double/inference.ts';
import { qdrantOptions, serverCollection, startCheckedDouble } from '../../support/qdrant/qdrant-place.ts';
import { keptRefusals } from '../../support/qdrant/refusals-in-memory.ts';

const {
  SMART_FORK_TEST_QDRANT_URL: url,
  SMART_FORK_TEST_QDRANT_API_KEY: apiKey,
  SMART_FORK_TEST_QDRANT_INFERENCE: hasInference,
} = process.env;
const MODEL = { id: CLOUD_MODEL, dimensions: 384 };

function placeOn(options: ReturnType<typeof qdrantOptions>, remove: () => Promise<void>): EmbeddingPlace {
  return {
    open: async () => openQdrantPointStore({ ...options, refusals: keptRefusals() }),
    openPlain: async () => openQdrantPointStore(options),
    remove,
  };
}

describeEmbeddingStore('Qdrant (double)', async () => {
  const double = await startCheckedDouble({ inference: inferenceService() });
  return placeOn(qdrantOptions(double.url, { model: MODEL }), () => double.close());
});

if (url && hasInference === 'on') {
  describeEmbeddingStore('Qdrant (server)', async () => {
    const { options, remove } = serverCollection(url.replace(/\/+$/, ''), apiKey ?? null, { model: MODEL });
    return placeOn(options, remove);
  });
} else {
  describe('Qdrant (server) as a store that embeds', () => {
    it.skip(
      'needs a server with inference: set SMART_FORK_TEST_QDRANT_URL and SMART_FORK_TEST_QDRANT_INFERENCE=on',
    );
  });
}
