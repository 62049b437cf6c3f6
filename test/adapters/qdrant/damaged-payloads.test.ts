import { describe, expect, it } from 'vitest';
import { pointText } from '../../../src/domain/point/point.ts';
import { pointId } from '../../../src/domain/point/point-id.ts';
import type { PointStore } from '../../../src/ports/point-store.ts';
import type { RemoteStore } from '../../../src/ports/remote-store.ts';
import { oneOf } from '../../support/campaign.ts';
import type { Collection } from '../../support/qdrant/double/collection.ts';
import { HOSTILE_VALUES } from '../../support/qdrant/hostile-values.ts';
import { useDoubles } from '../../support/qdrant/qdrant-place.ts';
import { changeOf, sessionPayload, tokensOf, vectorOf } from '../../support/transcripts/sample-sessions.ts';
import { openSealedQdrant } from '../sealed/places.ts';

const GOOD = { id: 'good', chunks: ['restart the pump', 'check the valve'], intents: ['restart'] };
const BAD = { id: 'bad', chunks: ['restart the engine'], intents: ['restart it'] };
const setUp = useDoubles();

/** All operations that read. */
async function readAll(store: PointStore): Promise<void> {
  const { sessions } = await store.list({}, 10);
  expect(sessions.map(({ session_id }) => session_id)).toContain('good');
  const [good] = await store
    .getSessions(['good', 'bad'])
    .then((all) => all.filter((one) => one.session_id === 'good'));
  expect(good).toEqual(sessionPayload(GOOD));
  expect((await store.getChunks('good')).map(({ content }) => content)).toEqual(GOOD.chunks);
  const found = await store.find({
    tokens: tokensOf('restart'),
    vector: vectorOf('x'),
    filter: {},
    limits: { sessions: 10, chunks: 10, intents: 10 },
  });
  expect(found.lists.sessionsByWords?.map(({ session_id }) => session_id)).toContain('good');
  for (const one of sessions) expectSession(one as unknown as Record<string, unknown>);
  await store.getChunks('bad');
  const points = await store.getPoints([pointId('bad', 'chunk', 0), pointId('good', 'chunk', 0)]);
  for (const { payload } of points) expect(typeof pointText(payload)).toBe('string');
  await store.pointsWithoutVector(10);
  await store.findByIdPrefix('', 5);
  for (const field of ['repo_name', 'month', 'agent', 'machine', 'branch', 'tag'] as const)
    await store.facet(field);
  await store.count();
}

/** Requires the types that the rest of the program relies on. */
function expectSession(session: Record<string, unknown>): void {
  for (const [field, sample] of Object.entries(sessionPayload(GOOD))) {
    const value = session[field];
    const isTime = field === 'started_at' || field === 'ended_at';
    if (isTime) expect(value === null || !Number.isNaN(Date.parse(String(value))), field).toBe(true);
    else if (sample !== null && value !== null) expect(typeof value, field).toBe(typeof sample);
    if (Array.isArray(sample)) expect(Array.isArray(value), field).toBe(true);
  }
}

function damage(collection: Collection | undefined, id: string, field: string, value: unknown): void {
  collection?.setPayload({ points: [id], payload: { [field]: value } });
}

describe('a point on the server with values of wrong types', { timeout: 300_000 }, () => {
  it.each(['session', 'chunk', 'intent'] as const)(
    'keeps other sessions intact if a %s point contains values of wrong types',
    async (type) => {
      const { double, store } = await setUp();
      await store.write([changeOf(GOOD), changeOf(BAD)]);
      const collection = double.collections.get('claude_sessions');
      const id = pointId('bad', type, 0);
      const [point] = collection?.retrieve({ ids: [id] }) ?? [];
      const payload = structuredClone(point?.payload as Record<string, unknown>);
      for (const [at, [field, old]] of Object.entries(payload).entries()) {
        for (const value of oneOf(HOSTILE_VALUES, at)) {
          damage(collection, id, field, value);
          await readAll(store).catch((error: unknown) => {
            throw new Error(`${field} = ${JSON.stringify(value).slice(0, 40)}`, { cause: error });
          });
        }
        damage(collection, id, field, old);
      }
      store.notices();
    },
  );

  it.each([
    ['session', 'title'],
    ['chunk', 'content'],
  ] as const)('loses only the two points of type %s that hold megabytes', async (type, field) => {
    const { double, store } = await setUp({}, { timeouts: { read: 60_000, write: 60_000 } });
    const huge = ['bad', 'bad2'].map((id) => ({ ...BAD, id }));
    await store.write([changeOf(GOOD), ...huge.map((sample) => changeOf(sample))]);
    const collection = double.collections.get('claude_sessions');
    for (const { id } of huge) damage(collection, pointId(id, type, 0), field, 'x'.repeat(9_000_000));
    await readAll(store);
    expect((await store.getChunks('good')).map(({ content }) => content)).toEqual(GOOD.chunks);
    expect(JSON.stringify(await store.list({}, 10)).length).toBeLessThan(100_000);
    expect(store.notices()[0]?.message).toMatch(/data of \d sessions? is damaged and was left out: .*bad/);
  });

  it('leaves out a point larger than any that the program writes', async () => {
    const { double, store } = await setUp();
    await store.write([changeOf(GOOD), changeOf(BAD)]);
    const collection = double.collections.get('claude_sessions');
    damage(collection, pointId('bad', 'session'), 'title', 'x'.repeat(2_000_000));
    damage(collection, pointId('bad', 'session'), 'files_touched', new Array(30_000).fill('a.ts'));
    damage(collection, pointId('bad', 'chunk', 0), 'content', 'restart '.repeat(200_000));
    const [bad] = await store.getSessions(['bad']);
    expect([bad?.title, bad?.files_touched.length]).toEqual(['', 20_000]);
    expect(await store.getChunks('bad')).toEqual([]);
    await readAll(store);
  });

  it('names a damaged point in a notice', async () => {
    const { double, store } = await setUp();
    await store.write([changeOf(GOOD), changeOf(BAD)]);
    damage(double.collections.get('claude_sessions'), pointId('bad', 'session'), 'title', { a: 1 });
    expect((await store.list({}, 10)).sessions).toHaveLength(2);
    const [notice, ...more] = store.notices();
    expect(notice?.message).toMatch(
      /^the collection claude_sessions in Qdrant at .*: data of 1 session is damaged/,
    );
    expect(notice?.message).toContain('bad');
    expect([more, store.notices()]).toEqual([[], []]);
  });

  it('leaves a damaged point out of a sealed collection without hiding other sessions', async () => {
    const { double } = await setUp();
    const store: RemoteStore = openSealedQdrant(double.url);
    await store.write([changeOf(GOOD), changeOf(BAD)]);
    const collection = double.collections.get('claude_sessions');
    damage(collection, pointId('bad', 'session'), 'sealed', 'AAAA');
    damage(collection, pointId('bad', 'chunk', 0), 'sealed', 'AAAA');
    expect((await store.list({}, 10)).sessions).toEqual([sessionPayload(GOOD)]);
    await readAll({ ...store, getChunks: async (id) => (id === 'bad' ? [] : store.getChunks(id)) });
    expect(store.notices()[0]?.message).toContain('bad');
    await expect(store.getSessions(['bad'])).rejects.toMatchObject({ code: 'STORE_INCOMPATIBLE' });
    await store.close();
  });

  it('refuses a damaged collection record, which names the key and the model', async () => {
    const { double, store, another } = await setUp();
    await store.write([changeOf(GOOD)]);
    const collection = double.collections.get('claude_sessions');
    const record = { schema_version: 'x', model: 7, seal: 5, chunking: [] };
    const found = collection?.scroll({ filter: { must: [{ key: 'type', match: { value: 'store' } }] } });
    const [stored] = structuredClone(found?.points) as { id: string; payload: Record<string, unknown> }[];
    for (const [field, value] of Object.entries(record)) {
      damage(collection, String(stored?.id), field, value);
      await expect(another().info()).rejects.toMatchObject({
        code: 'STORE_INCOMPATIBLE',
        message: expect.stringContaining(`its field ${field}`),
      });
      damage(collection, String(stored?.id), field, stored?.payload[field] ?? null);
    }
  });
});
