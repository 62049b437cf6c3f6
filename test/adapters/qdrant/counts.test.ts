import { describe, expect, it } from 'vitest';
import { pointId } from '../../../src/domain/point/point-id.ts';
import type { Coverage } from '../../../src/domain/search/search.ts';
import type { RemoteStore } from '../../../src/ports/remote-store.ts';
import { embedAll } from '../../contract/point-store/use-store.ts';
import type { QdrantDouble } from '../../support/qdrant/double/server.ts';
import { useDoubles } from '../../support/qdrant/qdrant-place.ts';
import { changeOf, tokensOf, vectorOf } from '../../support/transcripts/sample-sessions.ts';

const MINUTE = 60_000;
const COUNTING = ['/facet', '/facet', '/points/query/batch'];
const SEARCHING = ['/points/query/batch'];

const setUp = useDoubles();

describe('the counts of a search in Qdrant', { timeout: 60_000 }, () => {
  it('are at most a minute old', async () => {
    const { double, store, another } = await setUp();
    const clock = createClock();
    const reader = another({ now: clock.now });
    await fill(store, ['a']);
    expect(await sent(double, () => search(reader))).toEqual(COUNTING);
    await fill(store, ['b', 'c']);
    expect(await sent(double, () => search(reader))).toEqual(SEARCHING);
    clock.wait(MINUTE);
    expect(await sent(double, () => search(reader))).toEqual(COUNTING);
    expect((await coverageOf(reader)).sessions).toBe(3);
  });

  it('are new after a write through the same handle', async () => {
    const { store } = await setUp();
    for (const [at, id] of ['a', 'b', 'c'].entries()) {
      await fill(store, [id]);
      expect(await coverageOf(store)).toMatchObject({ sessions: at + 1, waiting: { chunks: 0 } });
    }
    await store.deleteSessions(['a', 'b']);
    expect((await coverageOf(store)).sessions).toBe(1);
  });

  it('are new in each search until the first index is done and half of it is embedded', async () => {
    const { double, store, another } = await setUp();
    const reader = another();
    await store.info();
    expect((await coverageOf(reader)).sessions).toBe(0);
    await store.write([changeOf({ id: 'a', chunks: ['piston', 'valve'], intents: ['look'] })]);
    expect(await coverageOf(reader)).toMatchObject({ sessions: 1, waiting: { chunks: 2, intents: 1 } });
    await embedAll(store);
    expect(await coverageOf(reader)).toMatchObject({ sessions: 1, waiting: { chunks: 0, intents: 0 } });
    expect(await sent(double, () => search(reader))).toEqual(SEARCHING);
  });

  it('are new when the collection was created again, for another model', async () => {
    const { double, store, another } = await setUp();
    const reader = another();
    await fill(store, ['a', 'b', 'c']);
    expect((await coverageOf(reader)).sessions).toBe(3);
    double.collections.clear();
    const model = { id: 'other/4', dimensions: 4 };
    const next = another({ model });
    await next.write([changeOf({ id: 'd', chunks: ['piston'] })]);
    const { coverage } = await reader.find({ tokens: tokensOf('piston'), vector: null, filter: {} });
    expect(coverage.sessions).toBe(1);
  });

  it('never fall below a document frequency after a large deletion by another machine', async () => {
    const { store, another } = await setUp();
    const clock = createClock();
    const reader = another({ now: clock.now });
    const ids = Array.from({ length: 30 }, (_, at) => `s${at}`);
    await fill(store, ids);
    const of = ['piston'];
    const ask = () =>
      reader.find({ tokens: of, vector: null, filter: {}, frequencies: { of, among: 'chunks' } });
    expect((await ask()).frequencies.get('piston')).toBe(30);
    await store.deleteSessions(ids.slice(1));
    const soon = await ask();
    expect(soon.lists.chunksByWords).toHaveLength(1);
    clock.wait(MINUTE);
    const later = await ask();
    expect(later.coverage.chunks).toBe(1);
    expect(later.frequencies.get('piston')).toBe(1);
  });

  it('leave out the points without a vector if no vector is compared', async () => {
    const { double, store, another } = await setUp();
    await fill(store, ['a']);
    const reader = another();
    const words = { tokens: tokensOf('piston'), vector: null, filter: {} };
    expect(await sent(double, () => reader.find(words))).toEqual(['/facet', '/points/query/batch']);
    expect(await sent(double, () => search(reader))).toEqual(COUNTING);
  });

  it('include document frequencies only of words not asked for in the last minutes', async () => {
    const { double, store, another } = await setUp();
    await fill(store, ['a']);
    const clock = createClock();
    const reader = another({ now: clock.now });
    const searches = async (of: string[]) => {
      const from = double.requests.length;
      const query = { tokens: tokensOf('piston'), vector: null, filter: {} };
      const { frequencies } = await reader.find({ ...query, frequencies: { of, among: 'chunks' } });
      const batch = double.requests.slice(from).find(({ path }) => path.endsWith('/batch'))?.body;
      return [(batch as { searches: unknown[] }).searches.length, ...of.map((one) => frequencies.get(one))];
    };
    // The record and two lists are in every batch.
    expect(await searches(['piston', 'valve', 'sump'])).toEqual([6, 1, 1, 0]);
    // A word that occurred nowhere may have been written since.
    expect(await searches(['piston', 'valve', 'sump'])).toEqual([4, 1, 1, 0]);
    await fill(store, ['b'], 'sump');
    expect(await searches(['sump'])).toEqual([4, 1]);
    clock.wait(6 * MINUTE);
    expect(await searches(['piston'])).toEqual([4, 2]);
  });
});

describe('the size of a collection', { timeout: 60_000 }, () => {
  it('is noted for later processes, and determines how many hits the first search requests', async () => {
    const { double, store, another } = await setUp();
    await fill(store, ['a']);
    const noted: number[] = [];
    const size = { read: () => noted.at(-1) ?? null, write: (sessions: number) => void noted.push(sessions) };
    const limits = async () => {
      const from = double.requests.length;
      await search(another({ size }));
      const batch = double.requests.slice(from).find(({ path }) => path.endsWith('/batch'))?.body;
      return (batch as { searches: { limit: number }[] }).searches.map(({ limit }) => limit);
    };
    expect(await limits()).toEqual([1, 100, 1000, 1000, 1000]);
    expect(await limits()).toEqual([1, 100, 200, 200, 200]);
    addSessions(double, 2001);
    expect(await limits()).toEqual([1, 100, 200, 200, 200]);
    expect(await limits()).toEqual([1, 100, 1000, 1000, 1000]);
    expect(noted).toEqual([1, 2002]);
  });

  it('of a small collection cuts lists that were requested too long', async () => {
    const { store, another } = await setUp();
    const chunks = Array.from({ length: 250 }, (_, at) => `piston ${at}`);
    await store.write([changeOf({ id: 'a', chunks })]);
    const { lists } = await another().find({ tokens: tokensOf('piston'), vector: null, filter: {} });
    expect(lists.chunksByWords).toHaveLength(200);
  });
});

async function fill(store: RemoteStore, ids: string[], more = 'valve'): Promise<void> {
  await store.write(ids.map((id) => changeOf({ id, chunks: [`piston ${more} ${id}`] })));
  await embedAll(store);
}

function search(store: RemoteStore) {
  return store.find({ tokens: tokensOf('piston'), vector: vectorOf('x'), filter: {} });
}

async function coverageOf(store: RemoteStore): Promise<Coverage> {
  return (await search(store)).coverage;
}

/** The paths of the requests that some work sends. */
async function sent(double: QdrantDouble, work: () => Promise<unknown>): Promise<string[]> {
  const from = double.requests.length;
  await work();
  return double.requests
    .slice(from)
    .map(({ path }) => path.replace(/.*claude_sessions/, ''))
    .sort();
}

/** Writes copies of session `a` directly. */
function addSessions(double: QdrantDouble, count: number): void {
  const collection = double.collections.get('claude_sessions');
  const [point] = collection?.retrieve({ ids: [pointId('a', 'session')], with_vector: true }) ?? [];
  const points = Array.from({ length: count }, (_, at) => ({ ...point, id: pointId(`c${at}`, 'session') }));
  collection?.upsert({ points });
}

function createClock(): { now: () => number; wait: (ms: number) => void } {
  let time = 1_800_000_000_000;
  return {
    now: () => time,
    wait: (ms) => {
      time += ms;
    },
  };
}
