import { describe, it } from 'vitest';
import { AVERAGE_LENGTH } from '../../../src/adapters/qdrant/schema/sparse.ts';
import { describeSearch } from '../../contract/point-store/search.ts';
import { describePointStore } from '../../contract/point-store.ts';
import { isSlow } from '../../support/campaign.ts';
import { doublePlace, serverPlace, shardedPlace } from '../../support/qdrant/qdrant-place.ts';

const { SMART_FORK_TEST_QDRANT_URL: url, SMART_FORK_TEST_QDRANT_API_KEY: apiKey } = process.env;

describePointStore('Qdrant (double)', () => doublePlace(), { averages: AVERAGE_LENGTH });

// A collection in shards differs only in its searches.
const inShards = { averages: AVERAGE_LENGTH, byShard: true };
if (isSlow) describePointStore('Qdrant in three shards (double)', shardedPlace, inShards);
else
  describe('Qdrant in three shards (double) as a point store', { timeout: 30_000 }, () =>
    describeSearch(shardedPlace, inShards),
  );

if (url) {
  describePointStore('Qdrant (server)', () => serverPlace(url.replace(/\/+$/, ''), apiKey ?? null), {
    averages: AVERAGE_LENGTH,
  });
} else {
  describe('Qdrant (server) as a point store', () => {
    it.skip('needs a server: set SMART_FORK_TEST_QDRANT_URL');
  });
}
