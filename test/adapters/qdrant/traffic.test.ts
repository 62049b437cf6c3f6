import { describe, expect, it } from 'vitest';
import { RECORD_ID } from '../../../src/adapters/qdrant/schema/store-record.ts';
import { pointId } from '../../../src/domain/point/point-id.ts';
import { embedAll } from '../../contract/point-store/use-store.ts';
import type { QdrantDouble } from '../../support/qdrant/double/server.ts';
import { useDoubles } from '../../support/qdrant/qdrant-place.ts';
import { countWaiting, tokenStatistics } from '../../support/stores/ask-store.ts';
import {
  changeOf,
  growth,
  type Sample,
  tokensOf,
  vectorOf,
} from '../../support/transcripts/sample-sessions.ts';

const LIMITS = { sessions: 20, chunks: 20, intents: 20 };
const SAMPLE: Sample = { id: 's', chunks: ['piston and valve', 'crank'], intents: ['look'] };

const setUp = useDoubles();

describe('requests to Qdrant', { timeout: 60_000 }, () => {
  it('writes a turn of a long session in three requests that contain only changes', async () => {
    const { double, store } = await setUp();
    const long: Sample = {
      id: 's',
      chunks: Array.from({ length: 150 }, (_, index) => `${'words '.repeat(60)}${index}`),
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

  it('searches in one round trip, whatever the query asks for', async () => {
    const { double, store } = await setUp();
    await store.write([changeOf(SAMPLE)]);
    const from = double.requests.length;
    const filter = { agent: 'claude', branch: 'main', tag: 'x', since: '2020-01-01T00:00:00Z' } as const;
    const phrasing = { tokens: tokensOf('piston valve'), vector: vectorOf('x') };
    await store.find({ ...phrasing, also: [phrasing, phrasing, phrasing, phrasing], filter, limits: LIMITS });
    expect(pathsOf(double.requests.slice(from))).toEqual(['/facet', '/facet', '/points/query/batch']);
  });

  it('returns in one round trip what separate requests return', async () => {
    const { double, store, another } = await setUp();
    const samples = Array.from({ length: 40 }, (_, at) => ({
      id: `s${at}`,
      chunks: [`piston ${at}`, `crank ${'piston '.repeat(at)}`],
      intents: [`look ${at}`],
    }));
    await store.write(samples.map((sample) => changeOf(sample)));
    await embedAll(store);
    const reader = another();
    const from = double.requests.length;
    const words = tokensOf('piston crank sump');
    const frequencies = { of: words, among: 'chunks' as const };
    const query = { tokens: words, vector: vectorOf('x'), filter: {}, limits: LIMITS, frequencies };
    const found = await reader.find(query);
    expect(pathsOf(double.requests.slice(from))).toEqual(['/facet', '/facet', '/points/query/batch']);
    const { chunksWith, chunkCount } = await tokenStatistics(store, words);
    expect(found.frequencies).toEqual(chunksWith);
    expect(found.coverage.chunks).toBe(chunkCount);
    expect(chunksWith.get('piston')).toBeGreaterThan(30);
    expect(await store.count()).toMatchObject(found.coverage);
    expect(found.coverage).toMatchObject({ sessions: 40, chunks: 80, intents: 40 });
    expect(found.model).toEqual((await store.info()).model);
  });

  it('spends one more request on a query of thousands of words, to find the rarest', async () => {
    const { double, store, another } = await setUp();
    await store.write([
      changeOf({ id: 's', chunks: ['the needle'] }),
      changeOf({ id: 't', chunks: ['hay'] }),
    ]);
    const reader = another();
    const from = double.requests.length;
    const tokens = tokensOf(`${Array.from({ length: 300 }, (_, at) => `w${at}`).join(' ')} needle`);
    const { lists } = await reader.find({ tokens, vector: null, filter: {} });
    expect(lists.chunksByWords?.map(({ session_id }) => session_id)).toEqual(['s']);
    const last = double.requests.slice(from).findLast(({ path }) => path.endsWith('/query/batch'));
    expect(JSON.stringify(last?.body).length).toBeLessThan(3000);
  });

  it('requests longer lists once the collection has more than 2,000 sessions', async () => {
    const { double, store, another } = await setUp();
    await store.write([changeOf({ id: 's', chunks: ['piston'] })]);
    const collection = double.collections.get('claude_sessions');
    const copies = (type: 'session' | 'chunk', count: number) => {
      const ids = type === 'session' ? [pointId('s', type)] : [pointId('s', type, 0)];
      const [point] = collection?.retrieve({ ids, with_payload: true, with_vector: true }) ?? [];
      const points = Array.from({ length: count }, (_, at) => ({ ...point, id: pointId(`s${at}`, type, 0) }));
      collection?.upsert({ points });
    };
    copies('session', 2000);
    copies('chunk', 300);
    const reader = another();
    const query = { tokens: tokensOf('piston'), vector: null, filter: {} };
    const from = double.requests.length;
    expect((await reader.find(query)).lists.chunksByWords).toHaveLength(301);
    expect(double.requests).toHaveLength(from + 2);
    expect((await reader.find(query)).lists.chunksByWords).toHaveLength(301);
    expect(double.requests).toHaveLength(from + 3);
  });

  it('refuses to search a collection written with another key or by a newer program', async () => {
    const { double, store, another } = await setUp();
    const query = { tokens: tokensOf('piston'), vector: vectorOf('x'), filter: {}, limits: LIMITS };
    const find = (reader = another()) => reader.find(query);
    expect((await find()).coverage.sessions).toBe(0);
    await store.write([changeOf(SAMPLE)]);
    await expect(find(another({ seal: 'another key' }))).rejects.toMatchObject({
      code: 'STORE_INCOMPATIBLE',
    });
    await store.close();
    const record = double.collections.get('claude_sessions');
    record?.setPayload({ payload: { schema_version: 99 }, points: [RECORD_ID] });
    await expect(find()).rejects.toMatchObject({
      code: 'STORE_INCOMPATIBLE',
      message: expect.stringContaining('newer smart-fork'),
    });
  });

  it('writes many sessions in batches of a few MB', async () => {
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

  it('asks for uncompressed answers', async () => {
    const { double, store } = await setUp();
    await store.info();
    expect(new Set(double.requests.map(({ headers }) => headers['accept-encoding']))).toEqual(
      new Set(['identity']),
    );
  });
});

function pathsOf(requests: { path: string }[]): string[] {
  return requests.map(({ path }) => path.replace(/.*claude_sessions/, '')).sort();
}

describe('lexical vectors in Qdrant', { timeout: 60_000 }, () => {
  const vectorsOf = (double: QdrantDouble) => {
    const ids = [pointId('s', 'session'), pointId('s', 'chunk', 0)];
    const points = double.collections.get('claude_sessions')?.retrieve({ ids, with_vector: true }) ?? [];
    return ids.map((id) => points.find((point) => point.id === id)?.vector);
  };

  it('computes lexical vectors independently of earlier writes', async () => {
    const [one, other] = [await setUp(), await setUp()];
    await one.store.write([changeOf({ id: 'long', chunks: ['word '.repeat(500)] })]);
    for (const { store } of [one, other]) await store.write([changeOf(SAMPLE)]);
    expect(vectorsOf(one.double)).toEqual(vectorsOf(other.double));
  });

  it('replaces a session’s lexical vector with the change that has its tokens, in three requests', async () => {
    const { double, store } = await setUp();
    const longer = { ...SAMPLE, chunks: ['piston and valve', 'sump'] };
    await store.write([changeOf(SAMPLE)]);
    await store.write([growth(SAMPLE, longer)]);
    const before = vectorsOf(double);
    const whole = changeOf(longer, changeOf(longer).session.payload.content_hash);
    const from = double.requests.length;
    expect(await store.write([{ ...whole, upserts: [] }])).toEqual({ conflicts: [] });
    expect(double.requests).toHaveLength(from + 3);
    expect(vectorsOf(double)[0]).not.toEqual(before[0]);
    expect(vectorsOf(double)[1]).toEqual(before[1]);
  });
});

describe('points of unknown types in Qdrant', { timeout: 60_000 }, () => {
  it('ignores points of unknown types everywhere', async () => {
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
    expect(await countWaiting(store)).toEqual({ intents: 0, chunks: 0 });
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
