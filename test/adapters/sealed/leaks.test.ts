import { describe, expect, it } from 'vitest';
import { pointId } from '../../../src/domain/point/point-id.ts';
import type { SessionFilter } from '../../../src/domain/search/search.ts';
import { embedAll } from '../../contract/point-store/use-store.ts';
import { startCheckedDouble } from '../../support/qdrant/qdrant-place.ts';
import { received } from '../../support/qdrant/received.ts';
import { searchLists, tokenStatistics } from '../../support/stores/ask-store.ts';
import {
  changeOf,
  growth,
  type Sample,
  sessionPayload,
  tokensOf,
  vectorOf,
} from '../../support/transcripts/sample-sessions.ts';
import { openSealedQdrant } from './places.ts';

const LIMITS = { sessions: 20, chunks: 20, intents: 20 };
const SESSION = 'c0ffee00-1111-4222-8333-444455556666';

/** Every field contains a unique word that is too long to occur in random letters. */
const RECORD: NonNullable<Sample['record']> = {
  agent: 'codex',
  machine: 'quokka-laptop',
  repo_path: '/home/wombathome/code/Numbatproject',
  repo_id: 'beefbeefbeef',
  repo_key: 'github.com/echidnaowner/numbatproject',
  repo_name: 'Numbatproject',
  working_directory: '/home/wombathome/code/Numbatproject/bilbyfolder',
  branch: 'feature/potoroobranch',
  title: 'Teach the platypus to swim upstream',
  files_touched: ['/home/wombathome/code/Numbatproject/src/dugongfile.ts', 'docs\\quollreadme.md'],
  commits: [{ hash: 'abcabc1def01', subject: 'Feed the kookaburra' }],
  outcome: 'committed',
  parent: { session_id: 'bandicoot-parent' },
  markers: ['WORKING_SOLUTION'],
  tags: ['kowari-baseline', 'two words apart'],
  model: 'cassowary-model',
  agent_version: '9.8.7-taipanversion',
  jsonl_path: '/home/wombathome/.codex/rollout-lorikeetfile.jsonl',
};
const SAMPLE: Sample = {
  id: SESSION,
  chunks: ['USER: where does the galahbird sleep?', 'ASSISTANT: wallabies know. Look at emu_feeder_loop.py'],
  intents: ['where does the galahbird sleep?'],
  ideas: [
    {
      kind: 'problem',
      content: 'The corellafence is too low',
      quote: 'the corellafence is too low',
      evidence: 'correction',
      origin: 'agent',
      options: ['raise the brolgapole'],
      entities: ['concept:jabirumast'],
      isOpen: true,
    },
  ],
  spans: [
    {
      name: 'Fencing the numbats',
      summary: 'A gliderfence.',
      branch: 'curlewbranch',
      files: ['src/pittafile.ts'],
      commits: ['fedfedfedfed'],
      entities: ['file:src/pittafile.ts'],
    },
  ],
  record: RECORD,
};
const SECRETS = [
  ...[
    '"codex"',
    'quokka-laptop',
    'wombathome',
    'numbatproject',
    'beefbeefbeef',
    'echidnaowner',
    'github.com',
  ],
  ...['bilbyfolder', 'potoroobranch', 'platypus', 'upstream', 'dugongfile', 'quollreadme', 'abcabc1def01'],
  ...[
    'kookaburra',
    '"committed"',
    'bandicoot-parent',
    'working_solution',
    'kowari-baseline',
    'two words apart',
  ],
  ...['cassowary', 'taipanversion', 'lorikeetfile', 'galahbird', 'wallabies', 'emu_feeder_loop', 'emu_feed'],
  ...['corellafence', 'brolgapole', 'jabirumast', '"problem"', '"correction"', 'fencing', 'gliderfence'],
  ...['curlewbranch', 'pittafile', 'fedfedfedfed', 'curlewquestion'],
  ...['thylacine', 'newtagword', 'drongoquestion', 'assistant: ', 'user: where'],
];

async function everythingDone(url: string): Promise<void> {
  const store = openSealedQdrant(url);
  await store.write([changeOf(SAMPLE)]);
  await embedAll(store);
  const grown = { ...SAMPLE, chunks: [...(SAMPLE.chunks ?? []), 'USER: and the thylacine?'] };
  await store.write([growth(SAMPLE, grown)]);
  await store.setTags(SESSION, ['newtagword']);
  const filter: SessionFilter = {
    repo: {
      repo_id: 'beefbeefbeef',
      repo_key: 'github.com/echidnaowner/numbatproject',
      repo_name: 'Numbatproject',
    },
    agent: 'codex',
    machine: 'quokka-laptop',
    branch: 'feature/potoroobranch',
    tag: 'newtagword',
    marker: 'WORKING_SOLUTION',
    file: 'src/dugongfile.ts',
    since: '2020-01-01T00:00:00Z',
  };
  const lists = await searchLists(store, {
    tokens: tokensOf('drongoquestion galahbird emu_feeder_loop'),
    vector: vectorOf('x'),
    filter,
    limits: LIMITS,
  });
  expect(lists.chunksByWords).toHaveLength(2);
  expect((await store.list(filter, 5)).sessions).toEqual([
    { ...sessionPayload(grown), tags: ['newtagword'] },
  ]);
  expect((await tokenStatistics(store, ['galahbird'])).chunksWith).toEqual(new Map([['galahbird', 1]]));
  expect(await store.facet('repo_name', filter)).toEqual([{ value: 'Numbatproject', count: 1 }]);
  expect(await store.facet('branch')).toEqual([{ value: 'feature/potoroobranch', count: 1 }]);
  expect((await store.findByIdPrefix('c0ffee', 5)).length).toBe(1);
  expect((await store.getHashes(SESSION)).size).toBe(6);
  const memory = {
    sessions: filter,
    kinds: ['problem' as const],
    entities: ['concept:jabirumast'],
    open: true,
  };
  const query = {
    tokens: tokensOf('curlewquestion corellafence'),
    vector: vectorOf('x'),
    filter: {},
    memory,
  };
  expect((await store.find(query)).memory?.ideasByWords).toHaveLength(1);
  expect(await store.listMemory('idea', memory, 5)).toMatchObject([
    { content: 'The corellafence is too low' },
  ]);
  expect(await store.facet('kind')).toEqual([{ value: 'problem', count: 1 }]);
  expect(await store.facet('entity')).toEqual([{ value: 'concept:jabirumast', count: 1 }]);
  await store.close();
}

describe('what a server learns', { timeout: 30_000 }, () => {
  it('sends a server no plain word from texts, titles, names, paths, tags, commits or queries', async () => {
    const double = await startCheckedDouble();
    try {
      await everythingDone(double.url);
      const all = received(double);
      // Ids and times are not encrypted, so the search would find them.
      for (const known of [SESSION, pointId(SESSION, 'chunk', 0), '2026-05-01t10:00'])
        expect(all).toContain(known);
      expect(SECRETS.filter((secret) => all.includes(secret))).toEqual([]);
      for (const { point } of changeOf(SAMPLE).upserts)
        expect(all).not.toContain(point.payload.content_hash.slice(7, 39));
      expect(all).not.toContain(sessionPayload(SAMPLE).content_hash.slice(7, 39));
    } finally {
      await double.close();
    }
  });
});
