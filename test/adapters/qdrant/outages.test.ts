import { describe, expect, it } from 'vitest';
import type { QdrantOptions } from '../../../src/adapters/qdrant/options.ts';
import { openQdrantPointStore } from '../../../src/adapters/qdrant/qdrant-point-store.ts';
import { getSession } from '../../../src/app/sessions/get-session.ts';
import { pointId } from '../../../src/domain/point/point-id.ts';
import { sha256 } from '../../../src/domain/text/hash.ts';
import { CHANGES, expectWhole, isWrite, nth, QUICK, SESSIONS } from '../../support/qdrant/qdrant-faults.ts';
import { qdrantOptions, useDoubles } from '../../support/qdrant/qdrant-place.ts';
import {
  changeOf,
  growth,
  SAMPLE_MODEL,
  sessionPayload,
  vectorOf,
} from '../../support/transcripts/sample-sessions.ts';

const start = useDoubles();
/** Small batches, so that there are many requests that can fail. */
const setUp = (options: Partial<QdrantOptions> = {}) =>
  start({}, { batches: { points: 4, requests: 2 }, ...options });

describe('two machines on one Qdrant server', { timeout: 60_000 }, () => {
  it('reports a conflict only for the session that another machine deletes during a write', async () => {
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
    expect(await getSession(store, 'a')).toBeNull();
    expect(await getSession(store, 'b')).not.toBeNull();
  });
});

describe('a Qdrant server with outages', { timeout: 60_000 }, () => {
  it('waits as many seconds as Retry-After says', async () => {
    const { double, store } = await setUp();
    double.options.fault = nth(2, { answer: 429, headers: { 'retry-after': '1' } }, isWrite);
    const started = performance.now();
    await store.write(CHANGES);
    expect(performance.now() - started).toBeGreaterThan(950);
    await expectWhole(store);
  });

  it('waits until the date in Retry-After', async () => {
    const { double, store } = await setUp();
    const until = new Date(Date.now() + 1500).toUTCString();
    double.options.fault = nth(0, { answer: 429, headers: { 'retry-after': until } }, isWrite);
    await store.write(CHANGES);
    await expectWhole(store);
  });

  it('gives up if Retry-After is too long', async () => {
    const { double, store } = await setUp();
    await store.info();
    double.options.fault = () => ({ answer: 429, headers: { 'retry-after': '3600' } });
    const started = performance.now();
    await expect(store.write(CHANGES)).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      hint: expect.any(String),
    });
    expect(performance.now() - started).toBeLessThan(5000);
  });

  it('limits the time of a read, including retries, if the server is slow', async () => {
    const { double, store } = await setUp({ timeouts: { read: 500 } });
    await store.info();
    double.options.fault = () => ({ delay: 20_000 });
    const started = performance.now();
    await expect(store.count()).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining('in time'),
    });
    expect(performance.now() - started).toBeLessThan(15_000);
  });

  it('repeats a write that timed out, and stores it once', async () => {
    const { double, store } = await setUp({ timeouts: { write: 1000 } });
    await store.info();
    double.options.fault = nth(1, { delay: 1500 }, isWrite);
    await store.write(CHANGES);
    await new Promise((resolve) => setTimeout(resolve, 800));
    await expectWhole(store);
  });

  it('distinguishes an unreachable server from one that refuses', async () => {
    const store = openQdrantPointStore(qdrantOptions('http://127.0.0.1:9', { retries: QUICK }));
    await expect(store.list({}, 5)).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringMatching(/cannot reach Qdrant at http:\/\/127\.0\.0\.1:9: /),
      hint: expect.any(String),
    });
    await store.close();
  });

  it('does not repeat a request that the server rejects', async () => {
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

describe('a Qdrant collection that changes during use', { timeout: 60_000 }, () => {
  it('reports a deleted collection, then recreates and fills it', async () => {
    const { double, store } = await setUp();
    await store.write(CHANGES);
    const { storeId } = await store.info();
    double.collections.clear();
    const grown = { ...(SESSIONS[0] ?? { id: 'a' }), chunks: ['a text 0'] };
    const change = growth(SESSIONS[0] ?? grown, grown);
    await expect(store.write([change])).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      message: expect.stringContaining('no longer exists'),
    });
    expect((await store.info()).storeId).not.toBe(storeId);
    expect(await store.write([change])).toEqual({ conflicts: ['a'] });
    expect(await store.write(CHANGES)).toEqual({ conflicts: [] });
    await expectWhole(store);
  });

  it('loses no text if the dimensions of the collection change', async () => {
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
      code: 'MODEL_MISMATCH',
      message: expect.stringContaining('dimension'),
      hint: expect.any(String),
    });
    const query = {
      tokens: null,
      vector: vectorOf('x'),
      filter: {},
      limits: { sessions: 5, chunks: 5, intents: 5 },
    };
    expect(await store.find(query)).toMatchObject({
      lists: { chunksByVector: null, intentsByVector: null },
      vectorRefused: { message: expect.stringContaining('another model’s vectors') },
    });
    await expectWhole(store);
    expect((await other.info()).model).toBeNull();
  });
});
