import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDatabase } from '../../../src/adapters/sqlite/database/open-database.ts';
import { openSqlitePointStore } from '../../../src/adapters/sqlite/points/sqlite-point-store.ts';
import { createWordScores } from '../../../src/adapters/sqlite/words/word-scores.ts';
import type { SessionFilter } from '../../../src/domain/search/search.ts';
import type { PointStore } from '../../../src/ports/point-store.ts';
import { searchLists } from '../../support/stores/ask-store.ts';
import { changeOf, SAMPLE_CHUNKING } from '../../support/transcripts/sample-sessions.ts';

let folder: string;
let path: string;
let store: PointStore;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'smart-fork-scores-'));
  path = join(folder, 'index.db');
  store = openSqlitePointStore(path, SAMPLE_CHUNKING);
  await store.write(Array.from({ length: 40 }, (_, at) => session(at)));
});

afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

const WORDS = ['harbour', 'crane', 'lantern', 'gull', 'rope', 'tide', 'mast'];

/** Some chunks of some sessions are alike, so that scores tie. */
function session(at: number) {
  const words = (from: number) => WORDS.filter((_, word) => (at * 7 + from) % (word + 2) === 0).join(' ');
  return changeOf({
    id: `s${at}`,
    chunks: Array.from({ length: 1 + (at % 6) }, (_, from) => `port ${words(from)}`),
  });
}

const FILTERS: SessionFilter[] = [
  {},
  { sessionIds: Array.from({ length: 12 }, (_, at) => `s${at * 3}`) },
  { excludeSessionIds: ['s0', 's6'] },
  { asOf: '2999-01-01T00:00:00Z' },
];
const QUERIES = [...WORDS.map((word) => [word]), WORDS, ['lantern', 'port', '~port', 'nowhere'], []];

async function answers(from: PointStore) {
  const lists = [];
  for (const filter of FILTERS)
    for (const tokens of QUERIES)
      lists.push(
        await searchLists(from, {
          tokens,
          vector: null,
          filter,
          limits: { sessions: 9, chunks: 60, intents: 1 },
        }),
      );
  return lists;
}

/** Those of a connection that has answered nothing yet, each. */
async function firstAnswers() {
  const lists = [];
  for (const filter of FILTERS)
    for (const tokens of QUERIES) {
      const fresh = openSqlitePointStore(path, SAMPLE_CHUNKING);
      lists.push(
        await searchLists(fresh, {
          tokens,
          vector: null,
          filter,
          limits: { sessions: 9, chunks: 60, intents: 1 },
        }),
      );
      await fresh.close();
    }
  return lists;
}

it('gives the same hits, scores and order from remembered scores as from one statement', async () => {
  const expected = await firstAnswers();
  expect(expected.flatMap(({ chunksByWords }) => chunksByWords ?? []).length).toBeGreaterThan(100);
  await answers(store);
  expect(await answers(store)).toEqual(expected);
});

it('forgets what words scored when another connection writes', async () => {
  await answers(store);
  const other = openSqlitePointStore(path, SAMPLE_CHUNKING);
  await other.write([changeOf({ id: 'late', chunks: ['port crane crane', 'mast'] })]);
  await other.close();
  const expected = await firstAnswers();
  await answers(store);
  expect(await answers(store)).toEqual(expected);
});

it('leaves the first searches after a change to one statement', () => {
  const database = openDatabase(path);
  try {
    const scores = createWordScores(database);
    const ask = () => scores('chunk_fts', ['crane'], 5, null);
    const first = Array.from({ length: 10 }, ask);
    expect(first).toEqual(first.map(() => null));
    expect(ask()).toHaveLength(5);
    database.exec("UPDATE meta SET value = value WHERE key = 'revision'");
    expect(ask()).toBeNull();
  } finally {
    database.close();
  }
});
