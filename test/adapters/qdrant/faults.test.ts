import { describe, expect, it } from 'vitest';
import type { QdrantOptions } from '../../../src/adapters/qdrant/options.ts';
import { getSession } from '../../../src/app/sessions/get-session.ts';
import { pointId } from '../../../src/domain/point/point-id.ts';
import { sha256 } from '../../../src/domain/text/hash.ts';
import { embedAll } from '../../contract/point-store/use-store.ts';
import type { Fault } from '../../support/qdrant/double/server.ts';
import { CHANGES, expectWhole, isWrite, nth, QUICK, SESSIONS } from '../../support/qdrant/qdrant-faults.ts';
import { useDoubles } from '../../support/qdrant/qdrant-place.ts';
import { countWaiting } from '../../support/stores/ask-store.ts';
import {
  changeOf,
  growth,
  SAMPLE_MODEL,
  type Sample,
  sessionPayload,
  vectorOf,
} from '../../support/transcripts/sample-sessions.ts';

const start = useDoubles();
/** Small batches, so that there are many requests that can fail. */
const setUp = (options: Partial<QdrantOptions> = {}) =>
  start({}, { batches: { points: 4, requests: 2 }, ...options });

describe('writes to a failing server', { timeout: 60_000 }, () => {
  it.each([
    ['the server fails once', { answer: 500 }],
    ['the server is overloaded once', { answer: 503 }],
    ['the connection breaks before the server acts', { cut: 'before' }],
    ['the connection breaks after the server acted', { cut: 'after' }],
  ] as [string, Fault][])(
    'completes a write although %s, at any of its requests',
    async (_, fault) => {
      const plain = await setUp();
      await plain.store.write(CHANGES);
      const writes = plain.double.requests.filter(isWrite).length;
      for (let at = 0; at < writes; at += 3) {
        const { double, store } = await setUp();
        double.options.fault = nth(at, fault, isWrite);
        expect(await store.write(CHANGES)).toEqual({ conflicts: [] });
        await expectWhole(store);
      }
    },
    60_000,
  );

  it('completes a write that failed halfway when the write is repeated', async () => {
    const { double, store } = await setUp();
    let left = 25;
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

  it('leaves a session unchanged if its growth fails before the commit, and completes it when repeated', async () => {
    const { double, store } = await setUp({ retries: { ...QUICK, writes: 0 } });
    const before: Sample = { id: 'a', chunks: ['a text 0', 'a text'] };
    await store.write([changeOf(before), ...CHANGES.slice(1)]);
    const change = growth(before, SESSIONS[0] ?? before);
    double.options.fault = nth(0, { cut: 'before' }, ({ path }) => path.includes('/batch'));
    await expect(store.write([change])).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    expect(await getSession(store, 'a')).toEqual(sessionPayload(before));
    expect(await store.write([change])).toEqual({ conflicts: [] });
    await expectWhole(store);
  });

  it('removes leftovers of an uncommitted earlier state of a new session', async () => {
    const { double, store } = await setUp({ retries: { ...QUICK, writes: 0 } });
    await store.info();
    double.options.fault = nth(0, { answer: 500 }, ({ path }) => path.includes('/batch'));
    const longer: Sample = { id: 'a', chunks: Array.from({ length: 40 }, (_, index) => `a text ${index}`) };
    await expect(store.write([changeOf(longer)])).rejects.toThrow();
    double.options.fault = () => null;
    await store.write(CHANGES);
    await expectWhole(store);
  });

  it('neither loses nor duplicates a vector if the connection breaks', async () => {
    for (let at = 0; at < 6; at += 1) {
      const { double, store } = await setUp();
      await store.write(CHANGES);
      double.options.fault = nth(at, { cut: 'after' });
      await embedAll(store);
      expect(await countWaiting(store)).toEqual({ intents: 0, chunks: 0 });
      expect((await store.count()).vectors).toBe(18);
    }
  });

  it('drops the vector of a text that changes just before the vector is stored', async () => {
    const { double, store } = await setUp();
    const before: Sample = { id: 's', chunks: ['old words'] };
    await store.write([changeOf(before)]);
    let isFirst = true;
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
    expect(isFirst).toBe(false);
    expect(await countWaiting(store)).toEqual({ intents: 0, chunks: 1 });
  });
});
