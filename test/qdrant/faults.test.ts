import { afterEach, describe, expect, it } from 'vitest';
import type { QdrantOptions } from '../../src/adapters/qdrant/options.ts';
import { openQdrantPointStore } from '../../src/adapters/qdrant/qdrant-point-store.ts';
import { sha256 } from '../../src/domain/hash.ts';
import { pointId } from '../../src/domain/point-id.ts';
import type { PointStore } from '../../src/ports/point-store.ts';
import { embedAll } from '../contract/point-store/use-store.ts';
import type { Fault, QdrantDouble, SeenRequest } from '../support/qdrant-double/server.ts';
import { qdrantOptions, startCheckedDouble } from '../support/qdrant-place.ts';
import {
  changeOf,
  growth,
  SAMPLE_MODEL,
  type Sample,
  sessionPayload,
  tokensOf,
  vectorOf,
} from '../support/sample-sessions.ts';

const QUICK = { wait: 1, longestWait: 5 };
const SESSIONS: Sample[] = ['a', 'b', 'c'].map((id) => ({
  id,
  chunks: Array.from({ length: 5 }, (_, index) => `${id} text ${index}`),
  intents: [`ask ${id}`],
}));
const CHANGES = SESSIONS.map((sample) => changeOf(sample));

const open: { double: QdrantDouble; stores: PointStore[] }[] = [];

afterEach(async () => {
  for (const { double, stores } of open.splice(0)) {
    for (const store of stores) await store.close();
    await double.close();
  }
});

async function setUp(options: Partial<QdrantOptions> = {}) {
  const double = await startCheckedDouble();
  const store = openQdrantPointStore(
    qdrantOptions(double.url, { retries: QUICK, batches: { points: 4, requests: 2 }, ...options }),
  );
  const stores = [store];
  open.push({ double, stores });
  const another = (more: Partial<QdrantOptions> = {}) => {
    const handle = openQdrantPointStore(qdrantOptions(double.url, { retries: QUICK, ...more }));
    stores.push(handle);
    return handle;
  };
  return { double, store, another };
}

const isWrite = ({ method, path }: SeenRequest) => method === 'PUT' || /\/(?:batch|delete)\?/.test(path);

/** A fault for the n-th request that passes, counted from 0. */
function nth(n: number, fault: Fault, which: (request: SeenRequest) => boolean = () => true) {
  let seen = -1;
  return (request: SeenRequest): Fault | null => {
    if (!which(request)) return null;
    seen += 1;
    return seen === n ? fault : null;
  };
}

/** Everything is there, once. */
async function expectWhole(store: PointStore): Promise<void> {
  expect(await store.count()).toMatchObject({ sessions: 3, chunks: 15, intents: 3 });
  for (const sample of SESSIONS) {
    expect(await store.getSession(sample.id)).toEqual(sessionPayload(sample));
    expect((await store.getChunks(sample.id)).map(({ content }) => content)).toEqual(sample.chunks);
  }
  const lists = await store.search({
    tokens: tokensOf('text'),
    vector: null,
    filter: {},
    limits: { sessions: 50, chunks: 50, intents: 50 },
  });
  expect(lists.sessionsByWords).toHaveLength(3);
  expect(lists.chunksByWords).toHaveLength(15);
}

describe('a write, when', () => {
  it.each([
    ['the server fails once', { answer: 500 }],
    ['the server is overloaded once', { answer: 503 }],
    ['the connection breaks before the server acts', { cut: 'before' }],
    ['the connection breaks after the server acted', { cut: 'after' }],
  ] as [string, Fault][])('%s, at any of its requests, ends as if nothing had been', async (_, fault) => {
    const plain = await setUp();
    await plain.store.write(CHANGES);
    const writes = plain.double.requests.filter(isWrite).length;
    for (let at = 0; at < writes; at += 3) {
      const { double, store } = await setUp();
      double.options.fault = nth(at, fault, isWrite);
      expect(await store.write(CHANGES)).toEqual({ conflicts: [] });
      await expectWhole(store);
    }
  });

  it('the server fails half-way for good, is finished by the same write later', async () => {
    const { double, store } = await setUp();
    let left = 24;
    double.options.fault = (request) => {
      if (!isWrite(request)) return null;
      left -= 1;
      return left < 0 ? { answer: 500, error: 'disk full' } : null;
    };
    await expect(store.write(CHANGES)).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining('disk full'),
    });
    expect((await store.count()).sessions).toBeLessThan(3);
    double.options.fault = () => null;
    expect(await store.write(CHANGES)).toEqual({ conflicts: [] });
    await expectWhole(store);
  });

  it('growth fails before it is committed, leaves the session as it was until the same write comes again', async () => {
    const { double, store } = await setUp({ retries: { ...QUICK, writes: 0 } });
    const before: Sample = { id: 'a', chunks: ['a text 0', 'a text'] };
    await store.write([changeOf(before), ...CHANGES.slice(1)]);
    const change = growth(before, SESSIONS[0] ?? before);
    double.options.fault = nth(0, { cut: 'before' }, ({ path }) => path.includes('/batch'));
    await expect(store.write([change])).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    expect(await store.getSession('a')).toEqual(sessionPayload(before));
    expect(await store.write([change])).toEqual({ conflicts: [] });
    await store.refresh();
    await expectWhole(store);
  });

  it('a new session was left half-written by another state of it, keeps nothing of that', async () => {
    const { double, store } = await setUp({ retries: { ...QUICK, writes: 0 } });
    await store.info();
    double.options.fault = nth(0, { answer: 500 }, ({ path }) => path.includes('/batch'));
    const longer: Sample = { id: 'a', chunks: Array.from({ length: 40 }, (_, index) => `a text ${index}`) };
    await expect(store.write([changeOf(longer)])).rejects.toThrow();
    double.options.fault = () => null;
    await store.write(CHANGES);
    await expectWhole(store);
  });

  it('vectors are cut off, loses none and doubles none', async () => {
    for (let at = 0; at < 6; at += 1) {
      const { double, store } = await setUp();
      await store.write(CHANGES);
      double.options.fault = nth(at, { cut: 'after' });
      await embedAll(store);
      expect(await store.countWithoutVector()).toEqual({ intents: 0, chunks: 0 });
      expect((await store.count()).vectors).toBe(18);
    }
  });

  it('a text changes between looking and storing its vector, keeps the vector out', async () => {
    for (const version of ['1.18.3', '1.13.0']) {
      const { double, store, another } = await setUp();
      double.options.version = version;
      const before: Sample = { id: 's', chunks: ['old words'] };
      await store.write([changeOf(before)]);
      const other = another();
      await other.info();
      let isFirst = true;
      const fault = double.options.fault;
      double.options.fault = (request) => {
        if (!isFirst || !request.path.endsWith('/points/vectors?wait=true')) return null;
        isFirst = false;
        double.collections.get('claude_sessions')?.setPayload({
          payload: { content_hash: sha256('new words') },
          points: [pointId('s', 'chunk', 0)],
        });
        return null;
      };
      const item = {
        id: pointId('s', 'chunk', 0),
        contentHash: sha256('old words'),
        vector: vectorOf('old words'),
      };
      await store.setVectors(SAMPLE_MODEL, [item]);
      double.options.fault = fault;
      expect(await store.countWithoutVector()).toEqual({ intents: 0, chunks: 1 });
    }
  });
});

describe('another machine that', () => {
  it('deletes a session while it is written makes a conflict of it, and of nothing else', async () => {
    const { double, store } = await setUp();
    await store.write(CHANGES);
    const first = SESSIONS[0] ?? { id: 'a' };
    const change = changeOf({ ...first, record: { title: 'new' } }, sessionPayload(first).content_hash);
    double.options.fault = nth(0, { delay: 0 }, (request) => {
      const isCommit = request.path.includes('/batch');
      if (isCommit) {
        double.collections
          .get('claude_sessions')
          ?.delete({ filter: { must: [{ key: 'session_id', match: { value: 'a' } }] } });
      }
      return isCommit;
    });
    expect(await store.write([change])).toEqual({ conflicts: ['a'] });
    expect(await store.getSession('a')).toBeNull();
    expect(await store.getSession('b')).not.toBeNull();
  });

  it('rewrites a text while lexical vectors are made anew keeps its own', async () => {
    const { double, store } = await setUp();
    await store.write([changeOf({ id: 'long', chunks: ['word '.repeat(400)] })]);
    await store.write(
      Array.from({ length: 6 }, (_, index) => changeOf({ id: `s${index}`, chunks: [`tiny text${index}`] })),
    );
    const rewritten = changeOf({ id: 's0', chunks: ['quite another'] }).upserts[0];
    const vector = { bm25_chunk: { indices: [4711], values: [1] } };
    let done = false;
    double.options.fault = ({ body }) => {
      if (done || !JSON.stringify(body).includes(`"${rewritten?.point.id}","vector"`)) return null;
      done = true;
      const { id, payload } = rewritten?.point ?? {};
      double.collections
        .get('claude_sessions')
        ?.upsert({ points: [{ id, payload: { ...payload }, vector }] });
      return null;
    };
    await store.refresh();
    expect(done).toBe(true);
    const [point] =
      double.collections
        .get('claude_sessions')
        ?.retrieve({ ids: [rewritten?.point.id], with_vector: true }) ?? [];
    expect(point?.vector).toEqual(vector);
  });
});

describe('a server that', () => {
  it('asks to wait is left alone for as long', async () => {
    const { double, store } = await setUp();
    double.options.fault = nth(2, { answer: 429, headers: { 'retry-after': '1' } }, isWrite);
    const started = performance.now();
    await store.write(CHANGES);
    expect(performance.now() - started).toBeGreaterThan(950);
    await expectWhole(store);
  });

  it('asks to wait until a time is left alone until then', async () => {
    const { double, store } = await setUp();
    const until = new Date(Date.now() + 1500).toUTCString();
    double.options.fault = nth(0, { answer: 429, headers: { 'retry-after': until } }, isWrite);
    await store.write(CHANGES);
    await expectWhole(store);
  });

  it('asks to wait for too long is given up', async () => {
    const { double, store } = await setUp();
    await store.info();
    double.options.fault = () => ({ answer: 429, headers: { 'retry-after': '3600' } });
    const started = performance.now();
    await expect(store.write(CHANGES)).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      hint: expect.any(String),
    });
    expect(performance.now() - started).toBeLessThan(900);
  });

  it('is slow ends a read in time, with its retries', async () => {
    const { double, store } = await setUp({ timeouts: { read: 150 } });
    await store.info();
    double.options.fault = () => ({ delay: 5000 });
    const started = performance.now();
    await expect(store.count()).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining('in time'),
    });
    expect(performance.now() - started).toBeLessThan(900);
  });

  it('is slow to write gets the same write again, and keeps it once', async () => {
    const { double, store } = await setUp({ timeouts: { write: 400 } });
    await store.info();
    double.options.fault = nth(1, { delay: 900 }, isWrite);
    await store.write(CHANGES);
    await new Promise((resolve) => setTimeout(resolve, 600));
    await expectWhole(store);
  });

  it('is not there is told apart from one that refuses', async () => {
    const store = openQdrantPointStore(qdrantOptions('http://127.0.0.1:9', { retries: QUICK }));
    await expect(store.list({}, 5)).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringMatching(/cannot reach Qdrant at http:\/\/127\.0\.0\.1:9: /),
      hint: expect.any(String),
    });
    await store.close();
  });

  it('refuses a request is not asked again', async () => {
    const { double, store } = await setUp();
    await store.info();
    const before = double.requests.length;
    double.options.fault = () => ({ answer: 400, error: 'Bad request: no' });
    await expect(store.count()).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining('Bad request: no'),
    });
    expect(double.requests.length - before).toBe(2);
  });
});

describe('a collection that', () => {
  it('is deleted under way is said to be gone, then made again and filled anew', async () => {
    const { double, store } = await setUp();
    await store.write(CHANGES);
    const { storeId } = await store.info();
    double.collections.clear();
    const grown = { ...(SESSIONS[0] ?? { id: 'a' }), chunks: ['a text 0'] };
    const change = growth(SESSIONS[0] ?? grown, grown);
    await expect(store.write([change])).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining('gone'),
    });
    expect((await store.info()).storeId).not.toBe(storeId);
    expect(await store.write([change])).toEqual({ conflicts: ['a'] });
    expect(await store.write(CHANGES)).toEqual({ conflicts: [] });
    await expectWhole(store);
  });

  it('changes its dimensions under way takes no vector and loses no text', async () => {
    const { double, store, another } = await setUp();
    await store.write(CHANGES);
    double.collections.clear();
    const other = another({ model: { id: 'other/model', dimensions: 4 } });
    await other.write(CHANGES);
    const item = {
      id: pointId('a', 'chunk', 0),
      contentHash: sha256('a text 0'),
      vector: vectorOf('a text 0'),
    };
    await expect(store.setVectors(SAMPLE_MODEL, [item])).rejects.toMatchObject({
      code: 'STORE_INCOMPATIBLE',
      message: expect.stringContaining('dimension'),
      hint: expect.any(String),
    });
    const query = {
      tokens: null,
      vector: vectorOf('x'),
      filter: {},
      limits: { sessions: 5, chunks: 5, intents: 5 },
    };
    await expect(store.search(query)).rejects.toMatchObject({ code: 'STORE_INCOMPATIBLE' });
    await expectWhole(store);
    expect((await other.info()).model).toBeNull();
  });
});
