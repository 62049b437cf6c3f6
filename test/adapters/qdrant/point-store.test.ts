import { describe, it } from 'vitest';
import { AVERAGE_LENGTH } from '../../../src/adapters/qdrant/schema/sparse.ts';
import { describePointStore } from '../../contract/point-store.ts';
import { doublePlace, serverPlace } from '../../support/qdrant/qdrant-place.ts';

const { SMART_FORK_TEST_QDRANT_URL: url, SMART_FORK_TEST_QDRANT_API_KEY: apiKey } = process.env;

describePointStore('Qdrant (double)', () => doublePlace(), AVERAGE_LENGTH);

if (url) {
  describePointStore(
    'Qdrant (server)',
    () => serverPlace(url.replace(/\/+$/, ''), apiKey ?? null),
    AVERAGE_LENGTH,
  );
} else {
  describe('Qdrant (server) as a point store', () => {
    it.skip('needs a server: set SMART_FORK_TEST_QDRANT_URL');
  });
}
