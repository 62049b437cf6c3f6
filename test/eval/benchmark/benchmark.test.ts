import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SessionPayload } from '../../../src/domain/point/point.ts';
import { fakeTerminal } from '../../support/fake-streams.ts';
import { tempFolder } from '../../support/files/temp-folder.ts';
import { jsonl, line, stampLines, toolPair, uuidOf } from '../../support/transcripts/claude-transcripts.ts';
import type { Query } from '../read-queries.ts';
import { type BenchmarkQuery, emptyBenchmark, readBenchmark } from './benchmark-file.ts';
import { blindQueries, labelsOf } from './label-queries.ts';
import { rankCorpora, writeBenchmark } from './run-benchmark.ts';
import { scoreBenchmark } from './score-benchmark.ts';
import { scoreReport } from './score-report.ts';

const asked = (text: string, more: Partial<Query> = {}): Query => ({
  text,
  sessions: ['right'],
  time: null,
  commit: null,
  also: [],
  ...more,
});

describe('the labels of a benchmark', () => {
  const session = {
    session_id: 'right',
    started_at: '2026-01-01T10:00:00Z',
    ended_at: '2026-01-01T11:00:00Z',
    files_touched: ['src/a.ts'],
  } as SessionPayload;
  const trust = (time: string, more: Partial<SessionPayload> = {}) => {
    const query = asked('Add it', { commit: 'abc', time: Date.parse(time) });
    return labelsOf(query, [{ ...session, ...more }])[0]?.trustworthy;
  };

  it('trusts a commit that was made during a session that edited files, or within an hour after it', () => {
    expect(trust('2026-01-01T10:30:00Z')).toBe(true);
    expect(trust('2026-01-01T12:00:00Z')).toBe(true);
    expect(trust('2026-01-01T12:00:01Z')).toBe(false);
    expect(trust('2026-01-01T09:59:59Z')).toBe(false);
    expect(trust('2026-01-01T10:30:00Z', { files_touched: [] })).toBe(false);
  });

  it('judges each right session of a commit, and none of another query', () => {
    const query = asked('Add it', {
      sessions: ['right', 'idle'],
      commit: 'abc',
      time: Date.parse('2026-01-01T10:30:00Z'),
    });
    const idle = { ...session, session_id: 'idle', files_touched: [] };
    expect(labelsOf(query, [session, idle])).toEqual([
      { session: 'right', trustworthy: true },
      { session: 'idle', trustworthy: false },
    ]);
    expect(labelsOf(asked('why is it slow'), [session])).toEqual([{ session: 'right', trustworthy: null }]);
  });

  it('calls a query blind if its words stand next to each other in no line of a right session', () => {
    const folder = tempFolder();
    const path = join(folder, 'right.jsonl');
    const lines = [line.user('now\nfix: Round totals, with tax.\nand commit'), line.assistant('Retry the')];
    writeFileSync(path, `${jsonl(lines)}{"cut off`);
    writeFileSync(join(folder, 'other.jsonl'), jsonl([line.user('Cache the search results')]));
    const queries = {
      copied: asked('Fix round totals with tax'),
      acrossLines: asked('tax and commit'),
      partOfWord: asked('ound totals'),
      elsewhere: asked('Cache the search results'),
    };
    const blind = blindQueries(Object.values(queries), [path, join(folder, 'other.jsonl')]);
    const names = Object.entries(queries).filter(([, query]) => blind.has(query));
    expect(names.map(([name]) => name)).toEqual(['acrossLines', 'partOfWord', 'elsewhere']);
  });
});

const query = (id: string, more: Partial<BenchmarkQuery> = {}): BenchmarkQuery => ({
  id,
  corpus: 'shop',
  sets: ['subjects'],
  text: id,
  also: [],
  time: null,
  commit: null,
  labels: [{ session: 'right', trustworthy: true }],
  blind: false,
  ...more,
});

describe('the scores of a benchmark', () => {
  const benchmark = {
    ...emptyBenchmark(),
    queries: [
      query('first'),
      query('second', { blind: true }),
      query('doubted', {
        labels: [
          { session: 'right', trustworthy: true },
          { session: 'late', trustworthy: false },
        ],
      }),
      query('untrusted', { labels: [{ session: 'late', trustworthy: false }] }),
    ],
    rankings: {
      ours: {
        first: ['right'],
        second: ['x', 'x', 'right'],
        doubted: ['late', 'right'],
        untrusted: [...Array.from({ length: 20 }, (_, i) => `other ${i}`), 'late'],
      },
      theirs: { first: ['x'] },
    },
  };
  const scores = scoreBenchmark(benchmark);
  const of = (tool: string, group: string) =>
    scores.find((one) => one.tool === tool && one.group === group && one.set === 'subjects');

  it('counts any right session among the first twenty, each session once', () => {
    expect(of('ours', 'all')).toMatchObject({ queries: 4, missing: 0, hit1: { value: 0.5 } });
    expect(of('ours', 'all')?.mrr.value).toBeCloseTo((1 + 1 / 2 + 1 + 0) / 4);
  });

  it('counts only sessions with a trustworthy label in the trustworthy group', () => {
    expect(of('ours', 'trustworthy')).toMatchObject({ queries: 3, hit5: { value: 1 } });
    expect(of('ours', 'trustworthy')?.mrr.value).toBeCloseTo((1 + 1 / 2 + 1 / 2) / 3);
    expect(of('ours', 'blind')).toMatchObject({ queries: 1, hit1: { value: 0 }, mrr: { value: 0.5 } });
  });

  it('counts a query that a tool did not rank as not found', () => {
    expect(of('theirs', 'all')).toMatchObject({ missing: 3, hit1: { value: 0 } });
    expect(scoreReport(scores)).toContain('theirs (3 not ranked)');
  });

  it('leaves out a group that is like all', () => {
    const trusted = scoreBenchmark({ ...benchmark, queries: [query('first'), query('second')] });
    expect(new Set(trusted.map(({ group }) => group))).toEqual(new Set(['all']));
  });

  it('reads rankings from further files, and refuses another format', () => {
    const folder = tempFolder();
    const [path, other, wrong] = ['b', 'o', 'w'].map((name) => join(folder, `${name}.json`)) as [
      string,
      string,
      string,
    ];
    writeFileSync(path, JSON.stringify(benchmark));
    writeFileSync(other, JSON.stringify({ rankings: { another: { first: ['right'] } } }));
    writeFileSync(wrong, JSON.stringify({ ...benchmark, format: 'session-search-benchmark/2' }));
    expect(Object.keys(readBenchmark(path, [other]).rankings)).toEqual(['ours', 'theirs', 'another']);
    expect(() => readBenchmark(wrong)).toThrow('format');
  });
});

it('exports the queries, labels and rankings of a corpus', async () => {
  const root = tempFolder();
  const home = join(root, 'claude');
  const ids = ['tax', 'cache'].map(uuidOf) as [string, string];
  const write = (id: string, prompt: string, file: string) => {
    mkdirSync(join(home, 'projects', '-work'), { recursive: true });
    const edit = toolPair('Edit', { file_path: file, old_string: 'a', new_string: 'b' }, 'ok');
    const lines = stampLines([line.user(prompt), ...edit, line.assistant('Done.')], { sessionId: id });
    writeFileSync(join(home, 'projects', '-work', `${id}.jsonl`), jsonl(lines));
  };
  write(ids[0], 'The invoice rounds totals wrong with tax', '/w/invoice.ts');
  write(ids[1], 'Keep the search results for a minute', '/w/search.ts');
  const commit = {
    commit: 'c0ffee00',
    date: '2026-07-01T09:30:00Z',
    subject: 'Round invoice totals with tax',
  };
  writeFileSync(join(root, 'commits.jsonl'), jsonl([{ ...commit, sessions: [ids[0]] }]));

  const terminal = fakeTerminal();
  const corpus = {
    name: 'Claude Code',
    agent: 'claude',
    home,
    queries: join(root, 'commits.jsonl'),
  } as const;
  const benchmark = await rankCorpora([corpus], { work: join(root, 'work'), model: null, terminal });
  writeBenchmark(benchmark, join(root, 'b.json'), terminal);

  const read = readBenchmark(join(root, 'b.json'));
  expect(read).toEqual(JSON.parse(readFileSync(join(root, 'b.json'), 'utf8')));
  expect(read.queries).toEqual([
    query('claude/subjects/c0ffee00', {
      corpus: 'Claude Code',
      sets: ['subjects', 'subjects, Claude Code'],
      text: commit.subject,
      time: '2026-07-01T09:30:00.000Z',
      commit: commit.commit,
      labels: [{ session: ids[0], trustworthy: true }],
      blind: true,
    }),
  ]);
  for (const tool of ['smart-fork, keyword', 'plain BM25'])
    expect(read.rankings[tool]?.['claude/subjects/c0ffee00']?.[0]).toBe(ids[0]);
});
