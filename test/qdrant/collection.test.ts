import { afterEach, describe, expect, it } from 'vitest';
import { openQdrantPointStore } from '../../src/adapters/qdrant/qdrant-point-store.ts';
import { RECORD_ID } from '../../src/adapters/qdrant/store-record.ts';
import { pointId } from '../../src/domain/point-id.ts';
import type { PointStore } from '../../src/ports/point-store.ts';
import { embedAll } from '../contract/point-store/use-store.ts';
import { fieldsOf } from '../support/qdrant-double/answer.ts';
import type { DoubleOptions, QdrantDouble } from '../support/qdrant-double/server.ts';
import { qdrantOptions, startCheckedDouble } from '../support/qdrant-place.ts';
import {
  changeOf,
  growth,
  SAMPLE_MODEL,
  type Sample,
  tokensOf,
  vectorOf,
} from '../support/sample-sessions.ts';

const LIMITS = { sessions: 20, chunks: 20, intents: 20 };
const SAMPLE: Sample = { id: 's', chunks: ['piston and valve', 'crank'], intents: ['look'] };

const opened: { double: QdrantDouble; store: PointStore }[] = [];

afterEach(async () => {
  for (const { double, store } of opened.splice(0)) {
    await store.close();
    await double.close();
  }
});

async function setUp(options: DoubleOptions = {}, more: Parameters<typeof qdrantOptions>[1] = {}) {
  const double = await startCheckedDouble(options);
  const store = openQdrantPointStore(qdrantOptions(double.url, { retries: { wait: 1 }, ...more }));
  opened.push({ double, store });
  return { double, store };
}

async function make(double: QdrantDouble, config: unknown): Promise<void> {
  await fetch(`${double.url}/collections/claude_sessions`, { method: 'PUT', body: JSON.stringify(config) });
}

describe('the collection', () => {
  it('is made with named vectors, kept small in memory, and says what it is', async () => {
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

  it('is looked at once, then left to itself', async () => {
    const { double, store } = await setUp();
    await store.write([changeOf(SAMPLE)]);
    const before = double.requests.length;
    await store.list({}, 5);
    await store.count();
    expect(double.requests.length - before).toBe(3);
  });

  it.each([
    ['has no named vectors', { vectors: { size: 768, distance: 'Cosine' } }, /is not smart-fork's/],
    ['has another distance', { vectors: { dense: { size: 8, distance: 'Dot' } } }, /is not smart-fork's/],
    [
      'has no lexical vectors',
      { vectors: { dense: { size: 8, distance: 'Cosine' } } },
      /is not smart-fork's/,
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
  ])('that %s is refused and not touched', async (_, config, message) => {
    const { double, store } = await setUp();
    await make(double, config);
    const before = JSON.stringify(double.collections.get('claude_sessions')?.info());
    for (const ask of [() => store.info(), () => store.write([changeOf(SAMPLE)]), () => store.list({}, 1)]) {
      await expect(ask()).rejects.toMatchObject({
        code: 'STORE_INCOMPATIBLE',
        message: expect.stringMatching(message),
        hint: expect.any(String),
      });
    }
    expect(JSON.stringify(double.collections.get('claude_sessions')?.info())).toBe(before);
  });

  it('made for other dimensions still finds by words', async () => {
    const { double, store } = await setUp();
    await store.write([changeOf(SAMPLE)]);
    const other = openQdrantPointStore(qdrantOptions(double.url, { model: { id: 'other', dimensions: 4 } }));
    const lists = await other.search({
      tokens: tokensOf('piston'),
      vector: null,
      filter: {},
      limits: LIMITS,
    });
    expect(lists.sessionsByWords).toHaveLength(1);
    await expect(other.setVectors({ id: 'other', dimensions: 4 }, [])).rejects.toMatchObject({
      code: 'STORE_INCOMPATIBLE',
    });
    await other.close();
  });

  it('gets the indexes that an interrupted making left out', async () => {
    const { double, store } = await setUp();
    await store.write([changeOf(SAMPLE)]);
    double.collections.get('claude_sessions')?.indexes.delete('session_tags');
    const again = openQdrantPointStore(qdrantOptions(double.url));
    expect(await again.facet('tag')).toEqual([]);
    await again.close();
  });

  it('may have any name', async () => {
    const { double, store } = await setUp({}, { collection: 'mine & yours/1' });
    await store.write([changeOf(SAMPLE)]);
    expect([...double.collections.keys()]).toEqual(['mine & yours/1']);
  });
});

describe('a server', () => {
  it.each(['1.12.6', '0.9.1'])('of version %s is too old, and told so', async (version) => {
    const { double, store } = await setUp({ version });
    await expect(store.info()).rejects.toMatchObject({
      code: 'STORE_INCOMPATIBLE',
      message: expect.stringContaining(`version ${version}; 1.13 or later`),
    });
    expect(double.collections.size).toBe(0);
  });

  it.each(['1.13.0', '1.15.5', '2.0.0'])('of version %s will do', async (version) => {
    const { store } = await setUp({ version });
    const grown: Sample = { ...SAMPLE, chunks: ['piston and valve', 'crank and gasket', 'sump'] };
    expect(await store.write([changeOf(SAMPLE)])).toEqual({ conflicts: [] });
    await embedAll(store);
    expect(await store.write([growth(SAMPLE, grown), changeOf(SAMPLE, null)])).toEqual({ conflicts: ['s'] });
    await embedAll(store);
    expect(await store.refresh()).toBe(1);
    const lists = await store.search({
      tokens: tokensOf('sump'),
      vector: vectorOf('x'),
      filter: {},
      limits: LIMITS,
    });
    expect(Object.values(lists).map((hits) => hits?.length)).toEqual([1, 1, 3, 1]);
    expect(await store.count()).toMatchObject({ sessions: 1, chunks: 3, vectors: 4 });
  });

  it('behind a path prefix is found there', async () => {
    const { double, store } = await setUp({ prefix: '/behind/qdrant' });
    await store.write([changeOf(SAMPLE)]);
    expect(double.url).toMatch(/\/behind\/qdrant$/);
    expect(await store.getSession('s')).not.toBeNull();
  });

  it('that is none says so', async () => {
    const { store } = await setUp({ prefix: '/elsewhere' }, {});
    const wrong = openQdrantPointStore(
      qdrantOptions(opened[0]?.double.url.replace('/elsewhere', '/nothing') ?? ''),
    );
    await expect(wrong.info()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    await wrong.close();
    await store.close();
  });
});

describe('traffic', () => {
  it('of one turn that was added to a long session: three requests, with what changed', async () => {
    const { double, store } = await setUp();
    const long: Sample = {
      id: 's',
      chunks: Array.from({ length: 300 }, (_, index) => `${'words '.repeat(500)}${index}`),
      intents: ['a'],
    };
    const longer: Sample = {
      ...long,
      chunks: [...(long.chunks ?? []), 'one more turn'],
      record: { ended_at: '2026-06-01T10:00:00.000Z' },
    };
    await store.write([changeOf(long)]);
    const from = double.requests.length;
    expect(await store.write([growth(long, longer)])).toEqual({ conflicts: [] });
    const requests = double.requests.slice(from);
    expect(requests).toHaveLength(3);
    expect(requests.reduce((bytes, { body }) => bytes + JSON.stringify(body).length, 0)).toBeLessThan(6000);
  });

  it('of a search: one request, whatever is asked', async () => {
    const { double, store } = await setUp();
    await store.write([changeOf(SAMPLE)]);
    const from = double.requests.length;
    const filter = { agent: 'claude', branch: 'main', tag: 'x', since: '2020-01-01T00:00:00Z' } as const;
    await store.search({ tokens: tokensOf('piston valve'), vector: vectorOf('x'), filter, limits: LIMITS });
    expect(double.requests.slice(from).map(({ path }) => path)).toEqual([
      '/collections/claude_sessions/points/query/batch',
    ]);
  });

  it('of many sessions: in batches of a few MB', async () => {
    const { double, store } = await setUp({}, { batches: { bytes: 300_000 } });
    const samples = Array.from(
      { length: 12 },
      (_, index): Sample => ({
        id: `s${index}`,
        chunks: Array.from({ length: 10 }, (_, chunk) => `${'lorem ipsum '.repeat(900)}${index} ${chunk}`),
      }),
    );
    expect(await store.write(samples.map((sample) => changeOf(sample)))).toEqual({ conflicts: [] });
    const sizes = double.requests.map(({ body }) => JSON.stringify(body).length);
    expect(Math.max(...sizes)).toBeLessThan(320_000);
    expect(await store.count()).toMatchObject({ sessions: 12, chunks: 120 });
  });

  it('asks for answers that are not compressed', async () => {
    const { double, store } = await setUp();
    await store.info();
    expect(new Set(double.requests.map(({ headers }) => headers['accept-encoding']))).toEqual(
      new Set(['identity']),
    );
  });
});

describe('lexical vectors', () => {
  it('follow the average length of documents as the store grows', async () => {
    const { double, store } = await setUp();
    const average = (): number => {
      const [record] = double.collections.get('claude_sessions')?.retrieve({ ids: [RECORD_ID] }) ?? [];
      return Number(fieldsOf(record?.payload).chunk_average);
    };
    await store.write([changeOf({ id: 'long', chunks: ['word '.repeat(500), 'sump '.repeat(500)] })]);
    const first = average();
    const short = Array.from(
      { length: 30 },
      (_, index): Sample => ({
        id: `s${index}`,
        chunks: [index % 3 === 0 ? 'sump and gasket' : `filler${index} gasket ${'padding '.repeat(index)}`],
      }),
    );
    await store.write(short.map((sample) => changeOf(sample)));
    await store.refresh();
    const second = average();
    expect(first).toBeGreaterThan(1000);
    expect(second).toBeLessThan(200);
    const from = double.requests.length;
    expect(await store.refresh()).toBe(0);
    expect(double.requests.slice(from).some(({ method }) => method === 'PUT')).toBe(false);
    const lists = await store.search({
      tokens: tokensOf('gasket'),
      vector: null,
      filter: {},
      limits: LIMITS,
    });
    const ranked = lists.sessionsByWords?.map(({ session_id }) => session_id) ?? [];
    expect(ranked.indexOf('s1')).toBeLessThan(ranked.indexOf('s19'));
  });

  it('of sessions that grew are left for later when that is asked', async () => {
    const { store } = await setUp();
    await store.write([changeOf(SAMPLE)]);
    await store.write([growth(SAMPLE, { ...SAMPLE, chunks: ['piston and valve', 'sump'] })]);
    expect(await store.refresh(AbortSignal.abort())).toBe(0);
    expect(await store.refresh()).toBe(1);
  });
});

describe('points of other kinds', () => {
  it('are seen nowhere', async () => {
    const { double, store } = await setUp();
    await store.write([changeOf(SAMPLE)]);
    await embedAll(store);
    const archive = {
      type: 'archive',
      session_id: 's',
      agent: 'claude',
      machine: 'atlas',
      repo_id: 'x',
      content_hash: 'y',
    };
    double.collections.get('claude_sessions')?.upsert({
      points: [
        {
          id: pointId('s', 'archive', 0),
          vector: {},
          payload: { ...archive, session_ended_ms: 1, data: 'AAAA' },
        },
      ],
    });
    expect(await store.count()).toMatchObject({ sessions: 1, chunks: 2, intents: 1, vectors: 3 });
    expect(await store.countWithoutVector()).toEqual({ intents: 0, chunks: 0 });
    expect(await store.pointsWithoutVector(10)).toEqual([]);
    expect((await store.list({}, 10)).sessions).toHaveLength(1);
    expect(await store.facet('agent')).toEqual([{ value: 'claude', count: 1 }]);
    expect(await store.getPoints([pointId('s', 'archive', 0)])).toEqual([]);
    expect((await store.getHashes('s')).size).toBe(3);
    expect(await store.write([growth(SAMPLE, { ...SAMPLE, chunks: ['piston and valve'] })])).toEqual({
      conflicts: [],
    });
    expect(
      double.collections
        .get('claude_sessions')
        ?.count({ filter: { must: [{ key: 'type', match: { value: 'archive' } }] } }),
    ).toEqual({ count: 1 });
    await store.deleteSessions(['s']);
    expect(
      double.collections
        .get('claude_sessions')
        ?.count({ filter: { must: [{ key: 'type', match: { value: 'archive' } }] } }),
    ).toEqual({ count: 0 });
  });
});
