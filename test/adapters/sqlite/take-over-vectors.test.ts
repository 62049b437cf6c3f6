import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/adapters/sqlite/database/open-database.ts';
import { openSqlitePointStore } from '../../../src/adapters/sqlite/points/sqlite-point-store.ts';
import type { LocalStore } from '../../../src/ports/outbox.ts';
import { embedAll } from '../../contract/point-store/use-store.ts';
import { searchLists } from '../../support/stores/ask-store.ts';
import { makeOlderVectors } from '../../support/stores/older-vectors.ts';
import {
  changeOf,
  growth,
  SAMPLE_CHUNKING,
  type Sample,
  vectorOf,
} from '../../support/transcripts/sample-sessions.ts';

const passages = (name: string, count: number) =>
  Array.from({ length: count }, (_, number) => `Passage ${number} of the ${name} session.`);
const FIRST: Sample = {
  id: 'first',
  chunks: passages('first', 100),
  intents: ['Which passage?'],
  ideas: [{ content: 'Passages are numbered' }],
};

let folder: string;
let path: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'take-over-vectors-'));
  path = join(folder, 'index.db');
  await useStore(async (store) => {
    await store.write([changeOf(FIRST)]);
    await embedAll(store);
  });
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

describe('an index with vectors in an older version’s tables', () => {
  it('keeps vectors and results when it migrates an older version’s tables', async () => {
    const before = await useStore(everything);
    makeOlderVectors(path);
    expect(tables()).toContain('chunk_vectors');
    expect(await useStore(everything)).toEqual(before);
    expect(tables().filter((name) => /_vectors/.test(name))).toEqual([]);
    expect(await useStore(everything)).toEqual(before);
  });

  it('adds vectors to a migrated index, and removes those of a deleted session', async () => {
    makeOlderVectors(path);
    await useStore(async (store) => {
      await store.write([growth(FIRST, { ...FIRST, chunks: passages('first', 150) })]);
      await embedAll(store);
      expect((await everything(store)).nearest).toHaveLength(150);
      await store.deleteSessions(['first']);
      expect(await everything(store)).toEqual({ nearest: [], vectors: [] });
    });
    expect(rows('vectors') + rows('signs')).toBe(0);
  });
});

async function useStore<T>(work: (store: LocalStore) => Promise<T>): Promise<T> {
  const store = openSqlitePointStore(path, SAMPLE_CHUNKING);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** The passages closest to a question, and every vector. */
async function everything(store: LocalStore) {
  const limits = { sessions: 1, chunks: 1000, intents: 1 };
  const query = { tokens: null, vector: vectorOf('Which passage?'), filter: {}, limits };
  const { chunksByVector } = await searchLists(store, query);
  const points = await store.getPoints([...(await store.getHashes('first')).keys()], { vectors: true });
  return {
    nearest: (chunksByVector ?? []).map(({ point_id, score }) => `${point_id} ${score}`),
    vectors: points.map(({ id, vector }) => `${id} ${vector?.join()}`).sort(),
  };
}

function tables(): string[] {
  const database = openDatabase(path);
  const found = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
  database.close();
  return found.map(({ name }) => String(name));
}

function rows(table: string): number {
  const database = openDatabase(path);
  const row = database.prepare(`SELECT count(*) AS rows FROM ${table}`).get();
  database.close();
  return Number(row?.rows);
}
