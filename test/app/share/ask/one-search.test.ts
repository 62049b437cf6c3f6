import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createFallback, type Patience } from '../../../../src/app/share/ask/fall-back.ts';
import { readBoth } from '../../../../src/app/share/ask/read-both.ts';
import type { RemoteStore } from '../../../../src/ports/remote-store.ts';
import { runJson } from '../../../support/machines/cli.ts';
import {
  createSharingWorld,
  IMPATIENT,
  type SharingWorld,
  writeSession,
} from '../../../support/machines/sharing-world.ts';
import { writeTinyModel } from '../../../support/models/tiny-model.ts';
import type { QdrantDouble } from '../../../support/qdrant/double/server.ts';
import { startCheckedDouble } from '../../../support/qdrant/qdrant-place.ts';
import { startSharedServer } from '../../../support/qdrant/shared-server.ts';
import { line, uuidOf } from '../../../support/transcripts/claude-transcripts.ts';
import { changeOf, tokensOf } from '../../../support/transcripts/sample-sessions.ts';

const BATCH = 'points/query/batch';
const FACET = 'facet';
/** Sessions with a note. */
const NOTED = 'points/scroll';
const FIRST = [FACET, FACET, BATCH, NOTED];
/** Records of sessions, and passages. */
const SHOWN = ['points', 'points'];
const SEARCH = [...FIRST, ...SHOWN].sort();
const TALKS = {
  zebra: ['Please debounce the zebra search box', 'The zebra search box now waits for 300 ms.'],
  login: ['Add a login form to the settings page', 'There is a login form now.'],
  charts: ['Draw the charts of token usage', 'The charts are drawn.'],
};

describe('a search that asks a server', { timeout: 60_000 }, () => {
  let double: QdrantDouble;
  let borea: SharingWorld;
  beforeEach(async () => {
    double = await startCheckedDouble();
    onTestFinished(() => double.close());
    const atlas = createSharingWorld('atlas', double.url);
    const env = { SMART_FORK_MODEL_DIR: await writeTinyModel(join(atlas.folder, 'model')) };
    const writer = { ...atlas, env: { ...atlas.env, ...env } };
    for (const [name, [question = '', answer = '']] of Object.entries(TALKS))
      writeSession(writer, uuidOf(name), [line.user(question), line.assistant(answer)]);
    expect(await runJson(writer, ['index'])).toMatchObject({ server: { waiting: 0, problems: [] } });
    borea = createSharingWorld('borea', double.url, env);
  });
  const search = async (...words: string[]) => {
    const from = double.requests.length;
    const found = await runJson(borea, ['search', ...words]);
    const paths = double.requests
      .slice(from)
      .map(({ path }) => path.replace('/collections/claude_sessions/', ''));
    return { found, paths: paths.sort() };
  };

  it('searches a server in two round trips, the second for what it shows, or three if it takes several sessions to answer', async () => {
    const first = await search('debounce', 'the', 'zebra', 'search', 'box');
    expect(first.paths).toEqual(SEARCH);
    expect(first.found).toMatchObject({
      mode: 'hybrid',
      notices: [],
      results: [{ session_id: uuidOf('zebra'), machine: 'atlas', recommended: true }, {}, {}],
    });
    const parts = await search('debounce', 'box', 'login', 'form', 'charts', 'usage');
    expect(parts.paths).toEqual([...SEARCH, BATCH].sort());
    expect(parts.found).toMatchObject({ results: [{}, {}, {}], together: { coverage: 1 } });
    // How many points lack a vector is not counted.
    const byWords = await search('login', 'form', 'settings', '--mode', 'keyword');
    expect(byWords.paths).toEqual(SEARCH.slice(1));
  });

  it('sends the requests of a search together, even the first ones of a process', async () => {
    let seen = 0;
    let allSeen: () => void = () => undefined;
    const wait = new Promise<void>((resolve) => {
      allSeen = resolve;
    });
    double.options.fault = () => {
      seen += 1;
      if (seen === FIRST.length) allSeen();
      return { wait };
    };
    const { found } = await search('debounce', 'the', 'zebra', 'search', 'box');
    expect(found).toMatchObject({
      notices: [],
      results: [{ session_id: uuidOf('zebra'), machine: 'atlas' }, {}, {}],
    });
  });

  it('asks for document frequencies and for titles, to suggest a spelling, only if a search found nothing', async () => {
    const { found, paths } = await search('xylophone', 'quartet', '--mode', 'keyword');
    expect(found).toMatchObject({ results: [], words: [{ word: 'xylophone', sessions: 0 }, {}] });
    expect(paths.filter((path) => path === BATCH)).toHaveLength(2);
    expect(paths.length).toBeLessThanOrEqual(8);
  });

  it('gives the same answer to the same search each time', async () => {
    const words = ['debounce', 'the', 'zebra', 'search', 'box'];
    const [one, other] = [await search(...words), await search(...words)];
    const withoutTime = ({ took_ms: _, ...rest }: Record<string, unknown>) => rest;
    expect(withoutTime(other.found)).toEqual(withoutTime(one.found));
  });

  it('falls back to the local sessions, with one notice, if the server hangs, refuses or is slow', async () => {
    writeSession(borea, uuidOf('own'), [line.user('Our own zebra'), line.assistant('It has stripes.')]);
    await runJson(borea, ['index']);
    borea = { ...borea, env: { ...borea.env, ...IMPATIENT } };
    const asked = { hangs: { delay: 60_000 }, refuses: { answer: 503 }, cuts: { cut: 'before' } } as const;
    for (const fault of Object.values(asked)) {
      double.options.fault = () => fault;
      const { found, paths } = await search('own', 'zebra');
      expect(found).toMatchObject({
        notices: [{ code: 'SERVER_AWAY', message: expect.stringContaining('only this machine’s sessions') }],
        results: [{ session_id: uuidOf('own') }],
      });
      // All at once, then each with at most two retries after pauses of random length.
      expect(paths.length).toBeLessThanOrEqual(3 * FIRST.length);
    }
  });
});

/** A clock that moves only when told to. */
function madeUpTime() {
  const waits: { until: number; done: () => void; signal: AbortSignal }[] = [];
  let now = 0;
  const time: Patience = {
    clock: () => now,
    wait: (ms, signal) => new Promise<void>((done) => waits.push({ until: now + ms, done, signal })),
  };
  const pass = async (ms: number) => {
    now += ms;
    for (const { until, done, signal } of waits) if (until <= now && !signal.aborted) done();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { time, pass };
}

describe('the deadline of a search', () => {
  const NEVER = () => new Promise<never>(() => undefined);
  const remote = async () => ({ notices: () => [] }) as Partial<RemoteStore> as RemoteStore;

  it('ends a search if the server has not answered by the deadline', async () => {
    const { time, pass } = madeUpTime();
    const { within, notices } = createFallback({ remote, now: () => 0 }, time);
    const asked = within(1200)(NEVER);
    await pass(0);
    await pass(1199);
    const early = await Promise.race([asked, 'still waiting']);
    await pass(1);
    expect(early).toBe('still waiting');
    expect(await asked).toBeNull();
    expect(notices()).toEqual([
      expect.objectContaining({ code: 'SERVER_AWAY', message: expect.stringContaining('1.2 seconds') }),
    ]);
    expect(notices()).toEqual([]);
  });

  it('shares one deadline among all questions of a search', async () => {
    const { time, pass } = madeUpTime();
    const { within, notices } = createFallback({ remote, now: () => 0 }, time);
    const ask = within(1200);
    const slowly = (ms: number) => {
      let answer: (value: string) => void = () => undefined;
      const asked = ask(() => new Promise<string>((resolve) => (answer = resolve)));
      return { asked, after: () => pass(ms).then(() => answer('here')) };
    };
    for (const ms of [500, 500]) {
      const { asked, after } = slowly(ms);
      await pass(0);
      await after();
      expect(await asked).toEqual({ answer: 'here' });
      // The search's own time does not count.
      await pass(5000);
    }
    const last = slowly(0);
    await pass(0);
    await pass(201);
    expect(await last.asked).toBeNull();
    expect(notices()).toHaveLength(1);
    expect(await ask(async () => 'not asked')).toBeNull();
  });

  it('gives one notice if several simultaneous questions are not answered', async () => {
    const { time, pass } = madeUpTime();
    const { within, notices } = createFallback({ remote, now: () => 0 }, time);
    const ask = within(1200);
    const asked = [ask(NEVER), ask(NEVER), ask(NEVER)];
    await pass(0);
    await pass(1200);
    expect(await Promise.all(asked)).toEqual([null, null, null]);
    expect(notices()).toHaveLength(1);
  });
});

describe('one search of both stores', { timeout: 30_000 }, () => {
  it('leaves out the sessions of a server that fails before it has sent them, with a notice', async () => {
    const { double, machine, clock } = await startSharedServer();
    const [atlas, borea] = [machine('atlas'), machine('borea')];
    await atlas.local.write([changeOf({ id: 'a', chunks: ['piston and valve'], intents: ['look'] })]);
    await atlas.drain();
    const { local, outbox } = borea;
    const both = readBoth({
      bare: local,
      outbox,
      timeoutMs: 30_000,
      remote: async () => borea.remote,
      machine: 'borea',
      now: () => clock.now,
    });
    const store = both.forOneSearch();
    const words = tokensOf('piston');
    const frequencies = { of: words, among: 'chunks' as const };
    await local.write([changeOf({ id: 'b', chunks: ['a crank and a valve'], intents: ['turn'] })]);
    const also = [{ tokens: tokensOf('valve'), vector: null }];
    const found = await store.find({ tokens: words, vector: null, also, filter: {}, frequencies });
    expect(found.also[0]?.chunksByWords?.map(({ session_id }) => session_id).sort()).toEqual(['a', 'b']);
    double.options.fault = () => ({ cut: 'before' });
    expect(found.frequencies.get('piston')).toBe(1);
    expect(both.notices()).toEqual([]);
    expect(await store.getSessions(['a', 'b'])).toMatchObject([{ session_id: 'b' }]);
    expect(both.notices()).toMatchObject([{ code: 'SERVER_AWAY' }]);
  });
});
