import { describe, expect, it } from 'vitest';
import type { QdrantOptions } from '../../../src/adapters/qdrant/options.ts';
import { openQdrantPointStore } from '../../../src/adapters/qdrant/qdrant-point-store.ts';
import { sha256 } from '../../../src/domain/point/hash.ts';
import { pointId } from '../../../src/domain/point/point-id.ts';
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
/** Batches of a few points make many requests that can fail. */
const setUp = (options: Partial<QdrantOptions> = {}) =>
  start({}, { batches: { points: 4, requests: 2 }, ...options });

describe('another machine that', { timeout: 60_000 }, () => {
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

describe('a server that', { timeout: 60_000 }, () => {
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
    expect(performance.now() - started).toBeLessThan(5000);
  });

  it('is slow ends a read in time, with its retries', async () => {
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

  it('is slow to write gets the same write again, and keeps it once', async () => {
    const { double, store } = await setUp({ timeouts: { write: 1000 } });
    await store.info();
    double.options.fault = nth(1, { delay: 1500 }, isWrite);
    await store.write(CHANGES);
    await new Promise((resolve) => setTimeout(resolve, 800));
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

describe('a collection that', { timeout: 60_000 }, () => {
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
