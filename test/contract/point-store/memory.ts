import { describe, expect, it } from 'vitest';
import type { MemoryFilter } from '../../../src/domain/memory/memory-search.ts';
import { pointId } from '../../../src/domain/point/point-id.ts';
import type { Hit } from '../../../src/domain/search/search.ts';
import {
  changeOf,
  growth,
  SAMPLE_MODEL,
  type Sample,
  tokensOf,
  vectorOf,
} from '../../support/transcripts/sample-sessions.ts';
import { embedAll, listsOf, type MakePlace, useFilledStore, useStore } from './use-store.ts';

const QUEUE: Sample = {
  id: 'queue',
  chunks: ['We talked about the job queue.'],
  intents: ['Which queue?'],
  ideas: [
    {
      kind: 'decision',
      content: 'Use Redis for the job queue',
      options: ['RabbitMQ'],
      entities: ['technology:redis', 'file:src/queue.ts'],
      timestamp: '2026-05-01T09:10:00.000Z',
    },
    {
      kind: 'todo',
      content: 'Add a retry to the queue worker',
      isOpen: true,
      evidence: 'todo-list',
      entities: ['file:src/queue.ts'],
      timestamp: '2026-05-01T09:20:00.000Z',
      relations: [{ kind: 'builds_on', to: 0, confidence: 0.8 }],
    },
  ],
  spans: [{ name: 'Job queue', summary: 'Chose Redis; a retry is missing.', files: ['src/queue.ts'] }],
};
const LOGIN: Sample = {
  id: 'login',
  chunks: ['The login page.'],
  ideas: [
    {
      kind: 'todo',
      content: 'Write a test for the login form',
      isOpen: false,
      timestamp: '2026-05-02T08:00:00.000Z',
    },
    {
      kind: 'question',
      content: 'Should a session expire in Redis?',
      isOpen: true,
      entities: ['technology:redis'],
      timestamp: null,
    },
  ],
  record: { repo_name: 'portal', repo_key: 'github.com/ada/portal', repo_path: '/home/ada/code/portal' },
};
const BARE: Sample = { id: 'bare', chunks: ['Redis is mentioned in a session without ideas.'] };

/** Ideas and spans. */
export function describeMemory(make: MakePlace): void {
  describe('ideas and spans', () => {
    const store = useFilledStore(make, [QUEUE, LOGIN, BARE]);
    const id = (session: string, type: 'idea' | 'span', index: number) => pointId(session, type, index);
    const find = async (query: string, filter: MemoryFilter = {}) => {
      const vector = vectorOf(query);
      const found = await store().find({ tokens: tokensOf(query), vector, filter: {}, memory: filter });
      if (found.memory === undefined) throw new Error('no lists of ideas and spans');
      return { ...found, memory: found.memory };
    };
    const ids = (hits: Hit[] | null) => hits?.map(({ point_id }) => point_id);
    const contents = async (filter: MemoryFilter) =>
      (await store().listMemory('idea', filter, 10)).map(({ content }) => content);

    it('returns ideas and spans as they were written', async () => {
      const change = changeOf(QUEUE);
      const written = change.upserts.map(({ point }) => point);
      const stored = await store().getPoints(written.map((point) => point.id));
      const byId = new Map(stored.map((point) => [point.id, point.payload]));
      for (const point of written) expect(byId.get(point.id)).toEqual(point.payload);
    });

    it('finds ideas and spans by keyword, in separate lists', async () => {
      const { memory } = await find('Redis');
      expect(new Set(ids(memory.ideasByWords))).toEqual(
        new Set([id('queue', 'idea', 0), id('login', 'idea', 1)]),
      );
      expect(ids(memory.spansByWords)).toEqual([id('queue', 'span', 0)]);
    });

    it('finds a decision by an option that was not chosen', async () => {
      expect(ids((await find('RabbitMQ')).memory.ideasByWords)).toEqual([id('queue', 'idea', 0)]);
    });

    it('finds ideas and spans by vector, best first', async () => {
      const { memory } = await find('Write a test for the login form');
      const [best] = memory.ideasByVector ?? [];
      expect(best).toMatchObject({ session_id: 'login', point_id: id('login', 'idea', 0) });
      expect(best?.score).toBeCloseTo(1, 3);
      expect(memory.ideasByVector).toHaveLength(4);
      expect(ids(memory.spansByVector)).toEqual([id('queue', 'span', 0)]);
    });

    it('searches ideas and spans in place of sessions', async () => {
      const { lists, also, chunkScores } = await find('Redis');
      expect({ lists: listsOf(lists), also, chunkScores }).toEqual({
        lists: [null, null, null, null],
        also: [],
        chunkScores: [],
      });
    });

    it('keeps ideas and spans out of lists of sessions and passages', async () => {
      const { lists, memory } = await store().find({
        tokens: tokensOf('Redis RabbitMQ'),
        vector: vectorOf('Use Redis for the job queue'),
        filter: {},
      });
      expect(memory).toBeUndefined();
      expect(lists.sessionsByWords?.map(({ session_id }) => session_id)).toEqual(['bare']);
      expect(ids(lists.chunksByWords)).toEqual([pointId('bare', 'chunk', 0)]);
      expect(lists.chunksByVector).toHaveLength(3);
      expect(lists.intentsByVector).toHaveLength(1);
    });

    it('returns no list of ideas for what the query lacks', async () => {
      const found = await store().find({ tokens: null, vector: null, filter: {}, memory: {} });
      expect(found.memory).toEqual({
        ideasByWords: null,
        ideasByVector: null,
        spansByWords: null,
        spansByVector: null,
      });
    });

    it('lists ideas newest first, those without a time last', async () => {
      expect(await contents({})).toEqual([
        'Write a test for the login form',
        'Add a retry to the queue worker',
        'Use Redis for the job queue',
        'Should a session expire in Redis?',
      ]);
      expect(await store().listMemory('idea', {}, 1)).toHaveLength(1);
      expect((await store().listMemory('span', {}, 10)).map(({ name }) => name)).toEqual(['Job queue']);
    });

    it.each<[string, MemoryFilter, string[]]>([
      [
        'kind',
        { kinds: ['todo', 'question'] },
        [
          'Write a test for the login form',
          'Add a retry to the queue worker',
          'Should a session expire in Redis?',
        ],
      ],
      ['no kind', { kinds: [] }, []],
      [
        'what is open',
        { open: true },
        ['Add a retry to the queue worker', 'Should a session expire in Redis?'],
      ],
      ['what is done', { open: false }, ['Write a test for the login form']],
      [
        'an entity',
        { entities: ['technology:redis'] },
        ['Use Redis for the job queue', 'Should a session expire in Redis?'],
      ],
      [
        'any of several entities',
        { entities: ['technology:redis', 'file:src/queue.ts'] },
        [
          'Add a retry to the queue worker',
          'Use Redis for the job queue',
          'Should a session expire in Redis?',
        ],
      ],
      ['no entity', { entities: [] }, []],
      [
        'time, from',
        { since: '2026-05-01T09:15:00Z' },
        ['Write a test for the login form', 'Add a retry to the queue worker'],
      ],
      ['time, until', { until: '2026-05-01T09:15:00Z' }, ['Use Redis for the job queue']],
      [
        'repository',
        { sessions: { repo: { repo_name: 'Portal' } } },
        ['Write a test for the login form', 'Should a session expire in Redis?'],
      ],
      [
        'several at once',
        { sessions: { sessionIds: ['queue', 'login'] }, kinds: ['todo'], open: true },
        ['Add a retry to the queue worker'],
      ],
    ])('filters ideas by %s, in lists and in searches', async (_, filter, expected) => {
      expect(await contents(filter)).toEqual(expected);
      const { memory } = await find('redis queue retry worker login test session', filter);
      const byVector = await store().getPoints(ids(memory.ideasByVector) ?? []);
      const texts = byVector.map(({ payload }) => (payload.type === 'idea' ? payload.content : ''));
      expect(texts.sort()).toEqual([...expected].sort());
      expect(new Set(ids(memory.ideasByWords))).toEqual(new Set(ids(memory.ideasByVector)));
    });

    it('counts ideas by kind and by entity', async () => {
      expect(await store().facet('kind')).toEqual([
        { value: 'todo', count: 2 },
        { value: 'decision', count: 1 },
        { value: 'question', count: 1 },
      ]);
      expect(await store().facet('entity', { sessionIds: ['queue'] })).toEqual([
        { value: 'file:src/queue.ts', count: 2 },
        { value: 'technology:redis', count: 1 },
      ]);
    });

    it('returns hashes of ideas and spans, and counts them apart from passages', async () => {
      expect((await store().getHashes('queue')).size).toBe(5);
      expect(await store().count()).toMatchObject({
        sessions: 3,
        chunks: 3,
        intents: 1,
        waiting: { intents: 0, chunks: 0 },
        memory: { ideas: 4, spans: 1, waiting: 0 },
        vectors: 9,
      });
    });
  });

  describe('ideas and spans of a session that changes', () => {
    const store = useStore(make);

    it('queues ideas and spans for vectors after all passages', async () => {
      await store().write([changeOf(QUEUE)]);
      const waiting = await store().pointsWithoutVector(10);
      expect(waiting.map(({ payload }) => payload.type)).toEqual(['intent', 'chunk', 'idea', 'idea', 'span']);
      expect((await store().count()).memory.waiting).toBe(3);
      await embedAll(store());
      const [stored] = await store().getPoints([pointId('queue', 'idea', 0)], { vectors: true });
      expect(stored?.vector).toHaveLength(SAMPLE_MODEL.dimensions);
    });

    it('changes an idea without keeping a vector or word of the old one', async () => {
      await store().write([changeOf(QUEUE)]);
      await embedAll(store());
      const [first = {}, second = {}] = QUEUE.ideas ?? [];
      const after: Sample = {
        ...QUEUE,
        ideas: [
          { ...first, content: 'Use Postgres for the job queue', entities: [] },
          { ...second, isOpen: false },
        ],
        spans: [],
      };
      await store().write([growth(QUEUE, after)]);
      const find = (query: string) =>
        store().find({ tokens: tokensOf(query), vector: null, filter: {}, memory: {} });
      expect((await find('Redis')).memory).toMatchObject({ ideasByWords: [], spansByWords: [] });
      expect((await find('Postgres')).memory?.ideasByWords).toHaveLength(1);
      expect(await store().listMemory('idea', { open: true }, 10)).toEqual([]);
      expect(await store().listMemory('idea', { entities: ['technology:redis'] }, 10)).toEqual([]);
      expect(await store().listMemory('span', {}, 10)).toEqual([]);
      expect((await store().count()).memory).toEqual({ ideas: 2, spans: 0, waiting: 2 });
    });

    it('deletes ideas and spans with their session', async () => {
      await store().write([changeOf(QUEUE), changeOf(LOGIN)]);
      await embedAll(store());
      expect(await store().deleteSessions(['queue'])).toBe(1);
      expect((await store().count()).memory).toEqual({ ideas: 2, spans: 0, waiting: 0 });
      expect(await store().facet('entity')).toEqual([{ value: 'technology:redis', count: 1 }]);
      const found = await store().find({
        tokens: tokensOf('queue'),
        vector: vectorOf('Use Redis for the job queue'),
        filter: {},
        memory: {},
      });
      expect(found.memory?.ideasByWords).toEqual([]);
      expect(found.memory?.ideasByVector?.map(({ session_id }) => session_id)).toEqual(['login', 'login']);
    });
  });
}
