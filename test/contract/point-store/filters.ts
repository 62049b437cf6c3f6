import { describe, expect, it } from 'vitest';
import type { SessionFilter } from '../../../src/domain/search/search.ts';
import { repoId } from '../../../src/domain/session/repository.ts';
import { searchLists } from '../../support/stores/ask-store.ts';
import {
  changeOf,
  type Sample,
  sessionPayload,
  tokensOf,
  vectorOf,
} from '../../support/transcripts/sample-sessions.ts';
import { listAll } from './listing.ts';
import { embedAll, listsOf, type MakePlace, useFilledStore, useStore } from './use-store.ts';

const WORD = 'carburettor';

function sample(id: string, record: Sample['record'], times?: Sample['times']): Sample {
  const chunks = times ? times.map((_, index) => `${WORD} part ${index}`) : [`${WORD} of ${id}`];
  return { id, chunks, intents: chunks.map((text) => `ask ${text}`), times, record };
}

const SAMPLES: Sample[] = [
  sample('engine', {
    repo_path: '/home/ada/code/engine',
    repo_key: 'github.com/ada/engine',
    repo_name: 'engine',
    branch: 'main',
    tags: ['release', 'a b'],
    markers: ['PATTERN'],
    files_touched: ['/home/ada/code/engine/src/valve.ts', 'README.md'],
    languages: ['shell', 'typescript'],
    commits: [
      { hash: '0f9e02bd', subject: 'Turn the valve' },
      { hash: 'abc1234def5678abc1234def5678abc1234def56', subject: 'Oil it' },
    ],
    started_at: '2026-05-10T08:00:00.000Z',
    ended_at: '2026-05-10T09:00:00.000Z',
  }),
  sample('engine-elsewhere', {
    repo_path: 'C:\\work\\engine',
    repo_key: 'github.com/ada/engine',
    repo_name: 'Engine',
    machine: 'borealis',
    branch: 'fix/valve',
    files_touched: ['C:\\work\\engine\\src\\valve.ts'],
    started_at: '2026-05-12T08:00:00.000Z',
    ended_at: '2026-05-12T09:00:00.000Z',
  }),
  sample('gears', {
    repo_path: '/home/ada/code/gears',
    repo_key: null,
    repo_name: 'gears',
    agent: 'codex',
    branch: null,
    tags: ['release'],
    markers: ['WAITING', 'WORKING_SOLUTION'],
    files_touched: ['lib/src/valve.ts', 'src/my-valve.ts'],
    languages: ['c++', 'typescript'],
    commits: [{ hash: '0f9e02c', subject: 'Grease', earlier: ['7777777a', '8888888a'] }],
    started_at: '2026-05-14T08:00:00.000Z',
    ended_at: '2026-05-16T09:00:00.000Z',
  }),
  sample('timeless', {
    repo_path: '/x',
    repo_key: null,
    repo_name: 'x',
    branch: null,
    started_at: null,
    ended_at: null,
  }),
];
const ALL = SAMPLES.map(({ id }) => id).sort();

const CASES: [string, SessionFilter, string[]][] = [
  ['none', {}, ALL],
  ['repo by id', { repo: { repo_id: repoId('/home/ada/code/engine') } }, ['engine']],
  ['repo by key', { repo: { repo_key: 'github.com/ada/engine' } }, ['engine', 'engine-elsewhere']],
  [
    'repo by key in other case',
    { repo: { repo_key: 'GitHub.com/Ada/Engine' } },
    ['engine', 'engine-elsewhere'],
  ],
  ['repo by name in any case', { repo: { repo_name: 'ENGINE' } }, ['engine', 'engine-elsewhere']],
  ['repo by any property', { repo: { repo_id: 'ffffffff', repo_name: 'gears' } }, ['gears']],
  ['a repo without properties', { repo: {} }, []],
  ['agent', { agent: 'codex' }, ['gears']],
  ['machine', { machine: 'borealis' }, ['engine-elsewhere']],
  ['branch', { branch: 'fix/valve' }, ['engine-elsewhere']],
  ['an unknown branch', { branch: 'fix' }, []],
  ['since', { since: '2026-05-12T09:00:00.000Z' }, ['engine-elsewhere', 'gears']],
  ['since, after the end', { since: '2026-05-12T09:00:00.001Z' }, ['gears']],
  ['since, in whole seconds', { since: '2026-05-12T09:00:00Z' }, ['engine-elsewhere', 'gears']],
  ['until', { until: '2026-05-12T08:00:00.000Z' }, ['engine', 'engine-elsewhere']],
  ['until, in whole seconds', { until: '2026-05-12T08:00:00Z' }, ['engine', 'engine-elsewhere']],
  ['until, before the start', { until: '2026-05-12T07:59:59.999Z' }, ['engine']],
  [
    'since and until inside a session',
    { since: '2026-05-15T00:00:00.000Z', until: '2026-05-15T00:00:00.000Z' },
    ['gears'],
  ],
  ['asOf', { asOf: '2026-05-12T08:30:00.000Z' }, ['engine', 'engine-elsewhere']],
  ['a file by name', { file: 'README.md' }, ['engine']],
  ['a file by whole path parts', { file: 'src/valve.ts' }, ['engine', 'engine-elsewhere', 'gears']],
  ['a file with backslashes', { file: 'src\\valve.ts' }, ['engine', 'engine-elsewhere', 'gears']],
  ['a file from here', { file: './src/valve.ts' }, ['engine', 'engine-elsewhere', 'gears']],
  ['a file with a slash before it', { file: '/src/valve.ts' }, ['engine', 'engine-elsewhere', 'gears']],
  ['a whole path', { file: '/home/ada/code/engine/src/valve.ts' }, ['engine']],
  ['a whole path with a drive', { file: 'C:\\work\\engine\\src\\valve.ts' }, ['engine-elsewhere']],
  ['part of a file name', { file: 'alve.ts' }, []],
  ['a file of the same name elsewhere', { file: 'test/valve.ts' }, []],
  ['a file with wildcards', { file: '%valve.ts' }, []],
  ['a commit', { commit: '0f9e02bd' }, ['engine']],
  ['a commit in full, recorded in short', { commit: `0f9e02bd${'1'.repeat(32)}` }, ['engine']],
  ['a commit in short, recorded in full', { commit: 'abc1234d' }, ['engine']],
  ['a commit before it was rebased', { commit: '8888888a' }, ['gears']],
  ['an unknown commit', { commit: '1234567' }, []],
  ['a commit and a file', { commit: '0f9e02c', file: 'my-valve.ts' }, ['gears']],
  ['a tag', { tag: 'release' }, ['engine', 'gears']],
  ['a tag with a space', { tag: 'a b' }, ['engine']],
  ['part of a tag', { tag: 'rel' }, []],
  ['a language', { lang: 'typescript' }, ['engine', 'gears']],
  ['a language of one session', { lang: 'c++' }, ['gears']],
  ['the beginning of a language', { lang: 'c' }, []],
  ['code of any language', { hasCode: true }, ['engine', 'gears']],
  ['a marker', { marker: 'WAITING' }, ['gears']],
  ['ids', { sessionIds: ['gears', 'nobody', 'engine'] }, ['engine', 'gears']],
  ['no ids', { sessionIds: [] }, []],
  ['all but some', { excludeSessionIds: ['gears', 'nobody'] }, ['engine', 'engine-elsewhere', 'timeless']],
  ['all but none', { excludeSessionIds: [] }, ALL],
  ['marks', { marks: ['a b'] }, ['engine']],
  ['every mark', { tag: 'release', marks: ['a b', 'release'] }, ['engine']],
  ['marks of which one is missing', { marks: ['a b', 'nowhere'] }, []],
  ['several at once', { tag: 'release', agent: 'claude', file: 'valve.ts' }, ['engine']],
  ['several that exclude one another', { tag: 'release', machine: 'borealis' }, []],
  ['ids and a file', { file: 'valve.ts', sessionIds: ['gears'], excludeSessionIds: ['engine'] }, ['gears']],
  ['quotes', { branch: `'" OR 1=1 --`, machine: '\\' }, []],
];

export function describeFilters(make: MakePlace): void {
  describe('filters', () => {
    const store = useFilledStore(make, SAMPLES);

    it.each(CASES)('filters sessions by %s', async (_, filter, expected) => {
      expect((await listAll(store(), filter, 10)).flat().sort()).toEqual(expected);
      expect((await listAll(store(), filter, 1)).flat().sort()).toEqual(expected);
      expect(await store().count(filter)).toMatchObject({
        sessions: expected.length,
        chunks: expected.length,
        intents: expected.length,
        vectors: 2 * expected.length,
      });
      const lists = await searchLists(store(), {
        tokens: tokensOf(WORD),
        vector: vectorOf(WORD),
        filter,
        limits: { sessions: 50, chunks: 50, intents: 50 },
      });
      // A session without a time may not have existed then.
      const idsOf = (hits: { session_id: string }[] | null) =>
        hits?.map(({ session_id }) => session_id).sort();
      const known = filter.asOf === undefined ? expected : ['engine'];
      expect(idsOf(lists.sessionsByWords)).toEqual(known);
      expect(idsOf(lists.chunksByWords)).toEqual(known);
      expect(idsOf(lists.chunksByVector)).toEqual(known);
      expect(idsOf(lists.intentsByVector)).toEqual(known);
    });
  });

  describe('a search as of a past time', () => {
    const at = (hour: number) => `2026-05-10T${String(hour).padStart(2, '0')}:00:00.000Z`;
    const grown = sample('grown', { started_at: at(8), ended_at: at(12) }, [at(9), at(11), null]);
    const store = useFilledStore(make, [grown, sample('early', { started_at: at(1), ended_at: at(2) })]);

    it('finds only what existed at a past time', async () => {
      const lists = await searchLists(store(), {
        tokens: tokensOf(WORD),
        vector: vectorOf(WORD),
        filter: { asOf: at(10) },
        limits: { sessions: 50, chunks: 50, intents: 50 },
      });
      expect(lists.sessionsByWords?.map(({ session_id }) => session_id)).toEqual(['early']);
      const chunks = changeOf(grown).upserts.filter(({ point }) => point.payload.ended_at === at(9));
      const ids = chunks.map(({ point }) => point.id);
      expect(
        lists.chunksByWords
          ?.filter(({ session_id }) => session_id === 'grown')
          .map(({ point_id }) => point_id),
      ).toEqual(ids.slice(1));
      expect(
        lists.chunksByVector
          ?.filter(({ session_id }) => session_id === 'grown')
          .map(({ point_id }) => point_id),
      ).toEqual(ids.slice(1));
      expect(
        lists.intentsByVector
          ?.filter(({ session_id }) => session_id === 'grown')
          .map(({ point_id }) => point_id),
      ).toEqual(ids.slice(0, 1));
    });
  });

  describe('filters after a change', () => {
    const store = useStore(make);

    it('filters by a session’s current state', async () => {
      const before = sample('s', { ended_at: '2026-05-10T09:00:00.000Z', branch: 'main' });
      const hash = sessionPayload(before).content_hash;
      const after = {
        ...before,
        record: { ended_at: '2026-05-20T09:00:00.000Z', branch: 'next', files_touched: ['b.ts'] },
      };
      await store().write([changeOf(before)]);
      await embedAll(store());
      await store().write([{ ...changeOf(after, hash), upserts: [], tokens: null }]);
      await store().setTags('s', ['kept']);
      for (const filter of [
        { since: '2026-05-19T00:00:00.000Z' },
        { branch: 'next' },
        { file: 'b.ts' },
        { tag: 'kept' },
      ]) {
        const lists = await searchLists(store(), {
          tokens: tokensOf(WORD),
          vector: vectorOf(WORD),
          filter,
          limits: { sessions: 5, chunks: 5, intents: 5 },
        });
        for (const hits of listsOf(lists)) {
          expect(hits?.map(({ session_id, ended_at }) => ({ session_id, ended_at }))).toEqual([
            { session_id: 's', ended_at: '2026-05-20T09:00:00.000Z' },
          ]);
        }
      }
      expect(await listAll(store(), { branch: 'main' }, 5)).toEqual([[]]);
    });
  });
}
