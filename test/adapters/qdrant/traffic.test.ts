import { describe, expect, it } from 'vitest';
import { RECORD_ID } from '../../../src/adapters/qdrant/schema/store-record.ts';
import { pointId } from '../../../src/domain/point/point-id.ts';
import { embedAll } from '../../contract/point-store/use-store.ts';
import { fieldsOf } from '../../support/qdrant/double/answer.ts';
import { useDoubles } from '../../support/qdrant/qdrant-place.ts';
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

describe('traffic', { timeout: 60_000 }, () => {
  it('of one turn that was added to a long session: three requests, with what changed', async () => {
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

  it('of all that a search wants: one request, with what the single questions answer', async () => {
    const { double, store, another } = await setUp();
    const samples = Array.from({ length: 40 }, (_, at) => ({
      ...{ id: `s${at}`, chunks: [`piston ${at}`, `crank ${'piston '.repeat(at)}`], intents: [`look ${at}`] },
    }));
    await store.write(samples.map((sample) => changeOf(sample)));
    await embedAll(store);
    const reader = another();
    const from = double.requests.length;
    const words = tokensOf('piston crank sump');
    const query = { tokens: words, vector: vectorOf('x'), filter: {}, limits: LIMITS };
    const found = await reader.find?.({ ...query, words, known: null });
    expect(double.requests.slice(from).map(({ path }) => path.replace(/.*claude_sessions/, ''))).toEqual(
      expect.arrayContaining(['/points/query/batch', '/facet', '/facet']),
    );
    expect(double.requests).toHaveLength(from + 3);
    expect(found?.lists).toEqual(await store.search(query));
    const { chunksWith, chunkCount } = await store.tokenStatistics(words);
    expect(found?.statistics).toMatchObject({ chunksWith, chunkCount });
    expect(chunksWith.get('piston')).toBeGreaterThan(30);
    const waiting = await store.countWithoutVector();
    expect(found?.coverage).toEqual({ sessions: 40, chunks: 80, intents: 40, waiting });
    const { storeId, model } = await store.info();
    expect(found).toMatchObject({ storeId, model });
    const ids = found?.points.map(({ id }) => id) ?? [];
    const payloads = new Map((await store.getPoints(ids)).map(({ id, payload }) => [id, payload]));
    expect(ids.length).toBeGreaterThan(40);
    for (const { id, payload } of found?.points ?? []) expect(payload).toEqual(payloads.get(id));
    const sessionIds = found?.sessions.map(({ session_id }) => session_id) ?? [];
    expect(sessionIds).toHaveLength(20);
    expect(new Set(found?.sessions)).toEqual(new Set(await store.getSessions(sessionIds)));
    const known = { storeId, coverage: { ...found?.coverage, sessions: 4711 } as never };
    expect((await reader.find?.({ ...query, words, known }))?.coverage.sessions).toBe(4711);
    const other = { ...known, storeId: 'another' };
    expect((await reader.find?.({ ...query, words, known: other }))?.coverage.sessions).toBe(40);
  });

  it('of a search in a collection that is not the right one: an error that says so', async () => {
    const { double, store, another } = await setUp();
    const query = { tokens: tokensOf('piston'), vector: vectorOf('x'), filter: {}, limits: LIMITS };
    const find = (reader = another()) => reader.find?.({ ...query, words: [], known: null });
    expect((await find())?.coverage.sessions).toBe(0);
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

describe('lexical vectors', { timeout: 60_000 }, () => {
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
      limits: { ...LIMITS, sessions: 50 },
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

describe('points of other kinds', { timeout: 60_000 }, () => {
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
