import { describe, it } from 'vitest';
import { describePointStore } from '../../contract/point-store.ts';
import { doublePlace, serverPlace } from '../../support/qdrant/qdrant-place.ts';

const { SMART_FORK_TEST_QDRANT_URL: url, SMART_FORK_TEST_QDRANT_API_KEY: apiKey } = process.env;

describePointStore('Qdrant (double)', () => doublePlace());

if (url) {
  describePointStore('Qdrant (server)', () => serverPlace(url.replace(/\/+$/, ''), apiKey ?? null));
} else {
  describe('Qdrant (server) as a point store', () => {
    it.skip('needs a server: set SMART_FORK_TEST_QDRANT_URL');
  });
}
