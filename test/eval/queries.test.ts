import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { SessionPayload } from '../../src/domain/point/point.ts';
import { lookUpSets } from './look-up-sets.ts';
import { plainBm25 } from './plain-bm25.ts';
import { commitSets, unanswerableSets } from './query-sets.ts';
import { type Query, readQueries, selectQueries } from './read-queries.ts';
import { isTrustworthy } from './trustworthy.ts';

let folder: string | null = null;

afterEach(() => {
  if (folder !== null) rmSync(folder, { recursive: true, force: true });
});

function fileOf(...lines: object[]): string {
  folder = mkdtempSync(join(tmpdir(), 'smart-fork-queries-'));
  const path = join(folder, 'queries.jsonl');
  writeFileSync(path, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
  return path;
}

const asked = (text: string, ...sessions: string[]): Query => ({
  text,
  sessions,
  time: null,
  commit: null,
  also: [],
});

describe('queries', () => {
  it('reads queries from questions and commits', () => {
    const path = fileOf(
      { query: 'why is it slow', sessions: ['a'] },
      { repo: 'r', subject: 'Make it fast', date: '2026-01-02T00:00:00Z', body: '', sessions: ['b'] },
    );
    expect(readQueries(path)).toEqual([
      { text: 'why is it slow', sessions: ['a'], time: null, commit: null, also: [] },
      { text: 'Make it fast', sessions: ['b'], time: Date.parse('2026-01-02'), commit: null, also: [] },
    ]);
  });

  it('skips empty and duplicate queries', () => {
    const here = new Set(['a', 'b']);
    const all = [
      asked('Add a retry to the uploader', 'a'),
      asked('Too short', 'a'),
      asked('Merge pull request #12 from someone', 'a'),
      asked('Merge both caches into one', 'b'),
      asked('chore(deps): bump lodash to 4.17.21', 'a'),
      asked('Revert "Add a retry to the uploader"', 'a'),
      asked('fixup! Add a retry to it', 'a'),
      asked('the same subject line twice', 'a'),
      asked('the same subject line twice', 'b'),
      asked('デバウンス中にイベントが失われる', 'b'),
    ];
    expect(selectQueries(all, here).queries.map(({ text }) => text)).toEqual([
      'Add a retry to the uploader',
      'Merge both caches into one',
      'デバウンス中にイベントが失われる',
    ]);
  });

  it('keeps a query whose sessions are all in the corpus, and marks one without sessions as foreign', () => {
    const all = [
      asked('one two three four', 'a', 'b'),
      asked('one two three five', 'a', 'x'),
      asked('one two three six', 'x'),
    ];
    const { queries, foreign } = selectQueries(all, new Set(['a', 'b']));
    expect(queries).toEqual([all[0]]);
    expect(foreign).toEqual([all[2]]);
  });
});

it('names sessions by their commits, ids and own files', () => {
  const path = fileOf({ text: '[main 4b1db345] Add it' });
  const session = (session_id: string, ...files_touched: string[]) =>
    ({ session_id, files_touched }) as SessionPayload;
  const commit = (hash: string): Query => ({ ...asked('Add it', 'queries'), commit: hash });
  const sets = lookUpSets(
    [session('queries', '/w/a/both.ts', '/w/a/own.ts'), session('other', '/w/a/both.ts', '/w/a/b c.ts')],
    [commit(`4b1db345${'0'.repeat(32)}`), commit('1'.repeat(40)), asked('no commit', 'queries')],
    [path],
  );
  expect(sets.map(({ name, queries }) => [name, ...queries.map(({ text }) => text)])).toEqual([
    ['commits, seven digits', '4b1db34'],
    ['commits, whole', `4b1db345${'0'.repeat(32)}`],
    ['session ids', 'queries', 'other'],
    ['files', 'w/a/own.ts'],
  ]);
});

it('trusts the label of a commit made during a session that edited files, or soon after', () => {
  const session = {
    session_id: 'a',
    started_at: '2026-01-02T10:00:00Z',
    ended_at: '2026-01-02T11:00:00Z',
    files_touched: ['a.ts'],
  } as SessionPayload;
  const at = (time: string | null): Query => ({
    ...asked('Add it', 'a'),
    commit: '4b1db345',
    time: time === null ? null : Date.parse(`2026-01-02T${time}Z`),
  });
  const trusted = (time: string | null, changes: Partial<SessionPayload> = {}) =>
    isTrustworthy(at(time), [{ ...session, ...changes }]);
  expect(['10:30:00', '11:59:00', '12:01:00', '09:59:00', null].map((time) => trusted(time))).toEqual([
    ...[true, true],
    ...[false, false, false],
  ]);
  expect(trusted('10:30:00', { files_touched: [] })).toBe(false);
  expect(trusted('10:30:00', { session_id: 'b' })).toBe(false);
});

it('ranks rare words and short sessions first with plain BM25', () => {
  const rank = plainBm25([
    { id: 'long', text: `cache ${'filler '.repeat(50)}` },
    { id: 'short', text: 'the cache' },
    { id: 'rare', text: 'the walrus' },
    { id: 'other', text: 'the rest' },
  ]);
  expect(rank('cache')).toEqual(['short', 'long']);
  expect(rank('the walrus')[0]).toBe('rare');
  expect(rank('nothing of it')).toEqual([]);
});

describe('the query sets', () => {
  const commit = (id: string): Query => ({ ...asked('the subject of a commit', 'a'), commit: id });

  it('describes known commits in other words, and leaves out the others', () => {
    const sets = commitSets([commit('4b1db345'), commit('00000000'), asked('no commit at all', 'b')]);
    expect(sets.every(({ queries }) => queries.length === 1)).toBe(true);
    const [short, phrased] = ['one or two words', 'one or two words, phrased'].map((wanted) =>
      sets.find(({ name }) => name === wanted),
    );
    expect(short?.queries[0]).toMatchObject({ text: 'notarization', sessions: ['a'], also: [] });
    expect(phrased?.queries[0]?.also).toHaveLength(3);
  });

  it('has no paraphrases for queries that are not commits', () => {
    expect(commitSets([asked('why is it slow', 'a')])).toEqual([]);
  });

  it('has sixty queries of each kind, without repetition', () => {
    for (const { queries } of unanswerableSets())
      expect(new Set(queries.map(({ text }) => text)).size).toBeGreaterThanOrEqual(60);
  });
});
