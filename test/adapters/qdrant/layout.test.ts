import { describe, expect, it } from 'vitest';
import { useDoubles } from '../../support/qdrant/qdrant-place.ts';
import { changeOf } from '../../support/transcripts/sample-sessions.ts';

const setUp = useDoubles();
const CHANGES = ['a', 'b'].map((id) => changeOf({ id, chunks: [`${id} text`] }));

describe('a collection on several nodes', () => {
  it('creates a collection with the shards, replicas and write consistency from the settings', async () => {
    const layout = { shards: 6, replicas: 2, writeConsistency: 2 };
    const { double, store } = await setUp({}, { layout });
    await store.write(CHANGES);
    const created = double.requests.find(
      ({ method, path }) => method === 'PUT' && /^.collections.[^/]+$/.test(path),
    );
    expect(created?.body).toMatchObject({
      shard_number: 6,
      replication_factor: 2,
      write_consistency_factor: 2,
    });
    expect(await store.layout()).toEqual({ shards: 6, replicas: 2, unavailable: [] });
  });

  it('leaves the layout of a collection to the server if no setting specifies it', async () => {
    const { double, store } = await setUp();
    await store.write(CHANGES);
    const bodies = JSON.stringify(double.requests.map(({ body }) => body));
    expect(bodies).not.toMatch(/shard_number|replication_factor|write_consistency_factor/);
    expect(await store.layout()).toBeNull();
  });

  it('reports which shards are unavailable', async () => {
    const { double, store } = await setUp({}, { layout: { shards: 3, replicas: 1, writeConsistency: null } });
    await store.write(CHANGES);
    double.collections.get('claude_sessions')?.shards.lost.add(1);
    expect(await store.layout()).toEqual({ shards: 3, replicas: 1, unavailable: [1] });
  });
});
