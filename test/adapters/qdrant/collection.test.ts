import { describe, expect, it } from 'vitest';
import { openQdrantPointStore } from '../../../src/adapters/qdrant/qdrant-point-store.ts';
import { RECORD_ID } from '../../../src/adapters/qdrant/schema/store-record.ts';
import { getSession } from '../../../src/app/sessions/get-session.ts';
import { embedAll } from '../../contract/point-store/use-store.ts';
import type { QdrantDouble } from '../../support/qdrant/double/server.ts';
import { qdrantOptions, useDoubles } from '../../support/qdrant/qdrant-place.ts';
import { searchLists } from '../../support/stores/ask-store.ts';
import {
  changeOf,
  growth,
  SAMPLE_MODEL,
  type Sample,
  tokensOf,
  vectorOf,
} from '../../support/transcripts/sample-sessions.ts';

const LIMITS = { sessions: 20, chunks: 20, intents: 20 };
const SAMPLE: Sample = { id: 's', chunks: ['piston and valve', 'crank'], intents: ['look'] };

const setUp = useDoubles();

async function make(double: QdrantDouble, config: unknown): Promise<void> {
  await fetch(`${double.url}/collections/claude_sessions`, { method: 'PUT', body: JSON.stringify(config) });
}

describe('the Qdrant collection', { timeout: 60_000 }, () => {
  it('creates a collection with named vectors, low memory use and identifying metadata', async () => {
    const { double, store } = await setUp();
    await store.info();
    const collection = double.collections.get('claude_sessions');
    expect(collection?.info()).toMatchObject({
      config: {
        params: {
          vectors: { dense: { size: 8, distance: 'Cosine', on_disk: true } },
          sparse_vectors: { bm25_session: { modifier: 'idf' }, bm25_chunk: { modifier: 'idf' } },
          on_disk_payload: true,
        },
        quantization_config: { scalar: { type: 'int8', always_ram: true } },
        metadata: { smart_fork: { schema_version: 1, model: SAMPLE_MODEL.id, dimensions: 8 } },
      },
    });
  });

  it('checks the collection once per handle', async () => {
    const { double, store } = await setUp();
    await store.write([changeOf(SAMPLE)]);
    const before = double.requests.length;
    await store.list({}, 5);
    await store.count();
    expect(double.requests.length - before).toBe(3);
  });

  it.each([
    ['has no named vectors', { vectors: { size: 768, distance: 'Cosine' } }, /was not created by smart-fork/],
    [
      'has another distance',
      { vectors: { dense: { size: 8, distance: 'Dot' } } },
      /was not created by smart-fork/,
    ],
    [
      'has no lexical vectors',
      { vectors: { dense: { size: 8, distance: 'Cosine' } } },
      /was not created by smart-fork/,
    ],
    [
      'was made by the Python program',
      { vectors: { size: 384, distance: 'Cosine', on_disk: true } },
      /Python/,
    ],
    [
      'was written by a newer program',
      {
        vectors: { dense: { size: 8, distance: 'Cosine' } },
        sparse_vectors: { bm25_session: { modifier: 'idf' }, bm25_chunk: { modifier: 'idf' } },
        metadata: { smart_fork: { schema_version: 99 } },
      },
      /newer smart-fork \(schema 99\)/,
    ],
  ])('refuses a collection that %s, and leaves it unchanged', async (_, config, message) => {
    const { double, store } = await setUp();
    await make(double, config);
    const before = JSON.stringify(double.collections.get('claude_sessions')?.info());
    for (const ask of [() => store.info(), () => store.write([changeOf(SAMPLE)]), () => store.list({}, 1)]) {
      await expect(ask()).rejects.toMatchObject({
        code: message.source === 'Python' ? 'LEGACY_COLLECTION' : 'STORE_INCOMPATIBLE',
        message: expect.stringMatching(message),
        hint: expect.any(String),
      });
    }
    expect(JSON.stringify(double.collections.get('claude_sessions')?.info())).toBe(before);
  });

  it('searches a collection of different dimensions by keyword', async () => {
    const { double, store } = await setUp();
    await store.write([changeOf(SAMPLE)]);
    const other = openQdrantPointStore(qdrantOptions(double.url, { model: { id: 'other', dimensions: 4 } }));
    const lists = await searchLists(other, {
      tokens: tokensOf('piston'),
      vector: null,
      filter: {},
      limits: LIMITS,
    });
    expect(lists.sessionsByWords).toHaveLength(1);
    await expect(other.setVectors({ id: 'other', dimensions: 4 }, [])).rejects.toMatchObject({
      code: 'MODEL_MISMATCH',
    });
    await other.close();
  });

  it('skips the collection check in later processes, unless an older program created the collection', async () => {
    const { double, store, another } = await setUp();
    await store.write([changeOf(SAMPLE)]);
    const requestsOf = async () => {
      const from = double.requests.length;
      await another().info();
      return double.requests.slice(from).map(({ path }) => path.replace('/collections/claude_sessions', ''));
    };
    expect(await requestsOf()).toEqual(['/points']);
    double.collections.get('claude_sessions')?.setPayload({ payload: { prepared: 0 }, points: [RECORD_ID] });
    expect((await requestsOf()).toSorted()).toEqual([
      '',
      '/',
      '/points',
      '/points',
      '/points/batch?wait=true',
    ]);
    expect(await requestsOf()).toEqual(['/points']);
  });

  it('creates missing payload indexes', async () => {
    const { double, store } = await setUp();
    await store.write([changeOf(SAMPLE)]);
    double.collections.get('claude_sessions')?.indexes.delete('session_tags');
    const again = openQdrantPointStore(qdrantOptions(double.url));
    expect(await again.facet('tag')).toEqual([]);
    await again.close();
  });

  it('accepts any collection name', async () => {
    const { double, store } = await setUp({}, { collection: 'mine & yours/1' });
    await store.write([changeOf(SAMPLE)]);
    expect([...double.collections.keys()]).toEqual(['mine & yours/1']);
  });
});

describe('the Qdrant server', { timeout: 60_000 }, () => {
  it.each(['1.15.5', '1.9.0', '0.20.1'])(
    'refuses a Qdrant server of version %s and names the required version',
    async (version) => {
      const { double, store } = await setUp({ version });
      await expect(store.info()).rejects.toMatchObject({
        code: 'STORE_INCOMPATIBLE',
        message: expect.stringContaining(`is version ${version}; smart-fork needs 1.16 or later`),
      });
      expect(double.collections.size).toBe(0);
    },
  );

  it.each(['1.16.0', '2.0.0'])('uses a Qdrant server of version %s', async (version) => {
    const { store } = await setUp({ version });
    const grown: Sample = { ...SAMPLE, chunks: ['piston and valve', 'crank and gasket', 'sump'] };
    expect(await store.write([changeOf(SAMPLE)])).toEqual({ conflicts: [] });
    await embedAll(store);
    expect(await store.write([growth(SAMPLE, grown), changeOf(SAMPLE, null)])).toEqual({ conflicts: ['s'] });
    await embedAll(store);
    const lists = await searchLists(store, {
      tokens: tokensOf('sump'),
      vector: vectorOf('x'),
      filter: {},
      limits: LIMITS,
    });
    // The session's lexical vector is sent once the session is idle.
    expect(Object.values(lists).map((hits) => hits?.length)).toEqual([0, 1, 3, 1]);
    expect(await store.count()).toMatchObject({ sessions: 1, chunks: 3, vectors: 4 });
  });

  it('reaches a server behind a path prefix', async () => {
    const { double, store } = await setUp({ prefix: '/behind/qdrant' });
    await store.write([changeOf(SAMPLE)]);
    expect(double.url).toMatch(/\/behind\/qdrant$/);
    expect(await getSession(store, 's')).not.toBeNull();
  });

  it('reports a URL that does not lead to a Qdrant server', async () => {
    const { double, another } = await setUp({ prefix: '/elsewhere' });
    const wrong = another({ url: double.url.replace('/elsewhere', '/nothing') });
    await expect(wrong.info()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  });
});
