import { describe, expect, it } from 'vitest';
import { openQdrantPointStore } from '../../../src/adapters/qdrant/qdrant-point-store.ts';
import { RECORD_ID } from '../../../src/adapters/qdrant/schema/store-record.ts';
import type { Sealer } from '../../../src/adapters/sealed/sealer.ts';
import { getSession } from '../../../src/app/sessions/get-session.ts';
import { pointId } from '../../../src/domain/point/point-id.ts';
import type { PointStore } from '../../../src/ports/point-store.ts';
import { fieldsOf } from '../../support/qdrant/double/answer.ts';
import type { Collection } from '../../support/qdrant/double/collection.ts';
import { qdrantOptions, useDoubles } from '../../support/qdrant/qdrant-place.ts';
import { searchLists } from '../../support/stores/ask-store.ts';
import {
  changeOf,
  growth,
  SAMPLE_MODEL,
  type Sample,
  sessionPayload,
  tokensOf,
  vectorOf,
} from '../../support/transcripts/sample-sessions.ts';
import { openSealedQdrant, otherSealer, sealer } from './places.ts';

const SAMPLE: Sample = { id: 's', chunks: ['piston', 'valve'], intents: ['look'], record: { tags: ['x'] } };
const REFUSED = { name: 'SmartForkError', code: 'STORE_INCOMPATIBLE', hint: expect.stringMatching(/\w/) };

const setUp = useDoubles();

/** Every kind of request to a store, as the first one of a handle. */
const QUESTIONS: Record<string, (store: PointStore) => Promise<unknown>> = {
  info: (store) => store.info(),
  write: (store) => store.write([changeOf({ id: 'new', chunks: ['words'] })]),
  'write over what is there': (store) => store.write([growth(SAMPLE, { ...SAMPLE, chunks: ['other'] })]),
  deleteSessions: (store) => store.deleteSessions(['s']),
  setTags: (store) => store.setTags('s', ['y']),
  getSession: (store) => getSession(store, 's'),
  getChunks: (store) => store.getChunks('s'),
  getHashes: (store) => store.getHashes('s'),
  list: (store) => store.list({}, 5),
  count: (store) => store.count(),
  facet: (store) => store.facet('branch'),
  search: (store) =>
    searchLists(store, {
      tokens: tokensOf('piston'),
      vector: vectorOf('x'),
      filter: {},
      limits: { sessions: 5, chunks: 5, intents: 5 },
    }),
  pointsWithoutVector: (store) => store.pointsWithoutVector(5),
  setVectors: (store) =>
    store.setVectors(SAMPLE_MODEL, [
      { id: pointId('s', 'chunk', 0), contentHash: 'x', vector: vectorOf('x') },
    ]),
};

function everythingIn(collection: Collection | undefined): unknown {
  return collection?.scroll({ limit: 1000, with_payload: true, with_vector: true });
}

describe('the key of a collection', { timeout: 30_000 }, () => {
  const clients: [string, Sealer | null, string][] = [
    ['another key', otherSealer, `has the key ${otherSealer.keyId}`],
    ['no encryption', null, 'encryption is off'],
  ];
  const openAs = (url: string, key: Sealer | null) =>
    key === null ? openQdrantPointStore(qdrantOptions(url)) : openSealedQdrant(url, key);

  it.each(clients)(
    'refuses every request for a sealed collection to a client with %s',
    async (_, key, reason) => {
      const { double } = await setUp();
      const first = openSealedQdrant(double.url);
      await first.write([changeOf(SAMPLE)]);
      const before = everythingIn(double.collections.get('claude_sessions'));
      for (const [name, ask] of Object.entries(QUESTIONS)) {
        const store = openAs(double.url, key);
        await expect(ask(store), name).rejects.toMatchObject({
          ...REFUSED,
          message: expect.stringMatching(
            `encrypted with the key ${sealer.keyId}.*${reason}.*nothing was read or changed`,
          ),
        });
        await store.close();
      }
      expect(everythingIn(double.collections.get('claude_sessions'))).toEqual(before);
      expect((await first.getChunks('s')).map(({ content }) => content)).toEqual(['piston', 'valve']);
      await first.close();
    },
  );

  it('refuses every request for a plain collection from a client with a key', async () => {
    const { double, store: plain } = await setUp();
    await plain.write([changeOf(SAMPLE)]);
    const before = everythingIn(double.collections.get('claude_sessions'));
    for (const [name, ask] of Object.entries(QUESTIONS)) {
      const store = openSealedQdrant(double.url);
      await expect(ask(store), name).rejects.toMatchObject({
        ...REFUSED,
        message: expect.stringContaining('contains plain text'),
      });
      await store.close();
    }
    expect(everythingIn(double.collections.get('claude_sessions'))).toEqual(before);
    expect(await getSession(plain, 's')).not.toBeNull();
  });

  it('seals an empty collection with the first key and keeps that key', async () => {
    const { double, store: plain } = await setUp();
    expect((await plain.info()).seal).toBeNull();
    const store = openSealedQdrant(double.url);
    expect((await store.info()).seal).toBe(sealer.keyId);
    await expect(plain.write([changeOf(SAMPLE)])).rejects.toMatchObject(REFUSED);
    const other = openSealedQdrant(double.url, otherSealer);
    await expect(other.write([changeOf(SAMPLE)])).rejects.toMatchObject(REFUSED);
    expect(await store.count()).toMatchObject({ sessions: 0, chunks: 0, intents: 0 });
    for (const one of [store, other]) await one.close();
  });

  it('seals a collection with the key of one of two clients that create it at once', async () => {
    const { double } = await setUp();
    const stores = [openSealedQdrant(double.url), openSealedQdrant(double.url, otherSealer)];
    const results = await Promise.allSettled(stores.map((store) => store.write([changeOf(SAMPLE)])));
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const winner = stores[results.findIndex(({ status }) => status === 'fulfilled')];
    expect(await winner?.getSessions(['s'])).toMatchObject([{ session_id: 's' }]);
    for (const store of stores) await store.close();
  });

  it('leaves alone a collection that was deleted and recreated without encryption', async () => {
    const { double } = await setUp();
    const store = openSealedQdrant(double.url);
    await store.write([changeOf(SAMPLE)]);
    double.collections.clear();
    const plain = openQdrantPointStore(qdrantOptions(double.url));
    await plain.write([changeOf({ id: 'p', chunks: ['plain'] })]);
    await expect(store.write([changeOf(SAMPLE)])).rejects.toMatchObject(REFUSED);
    expect(await plain.count()).toMatchObject({ sessions: 1, chunks: 1 });
    for (const one of [store, plain]) await one.close();
  });

  it('does not mistake a collection that lost its record for an empty one', async () => {
    const { double, store: plain } = await setUp();
    await plain.write([changeOf(SAMPLE)]);
    double.collections.get('claude_sessions')?.delete({ points: [RECORD_ID] });
    const store = openSealedQdrant(double.url);
    await expect(store.write([changeOf(SAMPLE)])).rejects.toMatchObject(REFUSED);
    await store.close();
  });

  it('reads the seal of a collection in the same round trip as the first search', async () => {
    const { double } = await setUp();
    const first = openSealedQdrant(double.url);
    await first.write([changeOf(SAMPLE)]);
    const from = double.requests.length;
    const store = openSealedQdrant(double.url);
    await QUESTIONS.search?.(store);
    expect(
      double.requests
        .slice(from)
        .map(({ path }) => path)
        .sort(),
    ).toEqual([
      '/collections/claude_sessions/facet',
      '/collections/claude_sessions/facet',
      '/collections/claude_sessions/points/query/batch',
    ]);
    for (const one of [first, store]) await one.close();
  });
});

describe('a server that changes its data', { timeout: 30_000 }, () => {
  const TWO: Sample = { id: 't', chunks: ['crank', 'sump'], intents: ['ask'] };

  async function filled() {
    const { double } = await setUp();
    const store = openSealedQdrant(double.url);
    await store.write([changeOf(SAMPLE), changeOf(TWO)]);
    const collection = double.collections.get('claude_sessions');
    if (collection === undefined) throw new Error('nothing was written');
    const payloadOf = (id: string) => fieldsOf(collection.retrieve({ ids: [id] })[0]?.payload);
    return { store, collection, payloadOf };
  }

  it('detects a server that swaps the texts of two points', async () => {
    const { store, collection, payloadOf } = await filled();
    const [one, two] = [pointId('s', 'chunk', 0), pointId('s', 'chunk', 1)];
    const sealed = [payloadOf(one).sealed, payloadOf(two).sealed];
    collection.setPayload({ payload: { sealed: sealed[1] }, points: [one] });
    collection.setPayload({ payload: { sealed: sealed[0] }, points: [two] });
    await expect(store.getChunks('s')).rejects.toMatchObject(REFUSED);
    await expect(store.getPoints([one])).rejects.toMatchObject(REFUSED);
    const waiting = (await store.pointsWithoutVector(10)).map(({ id }) => id);
    expect([waiting.includes(one), waiting.includes(two)]).toEqual([false, false]);
    expect(store.notices()).toMatchObject([
      { code: 'SERVER_DATA_DAMAGED', message: expect.stringMatching(/: s$/) },
    ]);
    expect(await store.getChunks('t')).toHaveLength(2);
    await store.close();
  });

  it('detects a server that swaps two whole points', async () => {
    const { store, collection, payloadOf } = await filled();
    const chunk = pointId('s', 'chunk', 0);
    collection.overwritePayload({ payload: payloadOf(pointId('t', 'chunk', 0)), points: [chunk] });
    await expect(store.getPoints([chunk])).rejects.toMatchObject(REFUSED);
    await expect(store.getHashes('t')).rejects.toMatchObject(REFUSED);
    const session = pointId('s', 'session');
    collection.overwritePayload({ payload: payloadOf(pointId('t', 'session')), points: [session] });
    await expect(getSession(store, 's')).rejects.toMatchObject({
      ...REFUSED,
      message: expect.stringContaining('not requested'),
    });
    await store.close();
  });

  it('detects a server that changes a session’s id or inserts plain text', async () => {
    const { store, collection } = await filled();
    const session = pointId('s', 'session');
    collection.setPayload({ payload: { session_id: 't' }, points: [session] });
    expect((await store.list({}, 10)).sessions).toEqual([sessionPayload(TWO)]);
    // The damaged point claims to belong to t; nothing else says whose it was.
    expect(store.notices()).toEqual([
      {
        code: 'SERVER_DATA_DAMAGED',
        message: expect.stringMatching(
          /^the collection claude_sessions in Qdrant at http:\/\/127\.0\.0\.1:\d+: data of 1 session is damaged and was left out: t$/,
        ),
        hint: expect.stringMatching(/^Check who can write to the server\. .*index --session ID --force/),
      },
    ]);
    expect(await getSession(store, 't')).toEqual(sessionPayload(TWO));
    expect((await store.getChunks('t')).map(({ content }) => content)).toEqual(TWO.chunks);
    expect((await store.getChunks('s')).map(({ content }) => content)).toEqual(SAMPLE.chunks);
    collection.setPayload({ payload: { session_id: 's', sealed: null, title: 'plain' }, points: [session] });
    await expect(getSession(store, 's')).rejects.toMatchObject({
      ...REFUSED,
      message: expect.stringContaining('is not sealed'),
    });
    await store.close();
  });
});
