import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { plainBm25 } from './plain-bm25.ts';
import { type Query, readQueries, selectQueries } from './read-queries.ts';

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

const asked = (text: string, ...sessions: string[]): Query => ({ text, sessions, time: null });

describe('queries', () => {
  it('reads queries from questions and commits', () => {
    const path = fileOf(
      { query: 'why is it slow', sessions: ['a'] },
      { repo: 'r', subject: 'Make it fast', date: '2026-01-02T00:00:00Z', body: '', sessions: ['b'] },
    );
    expect(readQueries(path)).toEqual([
      { text: 'why is it slow', sessions: ['a'], time: null },
      { text: 'Make it fast', sessions: ['b'], time: Date.parse('2026-01-02') },
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
