import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../../src/adapters/sqlite/database/open-database.ts';
import { openSqlitePointStore } from '../../../src/adapters/sqlite/points/sqlite-point-store.ts';
import { createTokenCounts } from '../../../src/adapters/sqlite/points/token-counts.ts';
import { pointId } from '../../../src/domain/point/point-id.ts';
import type { PointStore } from '../../../src/ports/point-store.ts';
import { searchLists } from '../../support/stores/ask-store.ts';
import { changeOf, SAMPLE_CHUNKING } from '../../support/transcripts/sample-sessions.ts';

let folder: string;
let store: PointStore;
let database: Database;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'smart-fork-counts-'));
  const path = join(folder, 'index.db');
  store = openSqlitePointStore(path, SAMPLE_CHUNKING);
  database = openDatabase(path);
});

afterEach(async () => {
  database.close();
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A session whose chunks all contain `common`, and every fifth `rare` too. */
async function writeChunks(id: string, count: number): Promise<void> {
  const chunks = Array.from({ length: count }, (_, i) => (i % 5 === 0 ? 'common rare' : 'common'));
  await store.write([changeOf({ id, chunks })]);
}

describe('token counts', () => {
  it('counts tokens written by another connection', async () => {
    const counts = createTokenCounts(database);
    expect(counts.frequencies('chunk_fts', ['rare', 'none'])).toEqual(
      new Map([
        ['rare', 0],
        ['none', 0],
      ]),
    );
    await writeChunks('s', 10);
    expect(counts.frequencies('chunk_fts', ['rare', 'common'])).toEqual(
      new Map([
        ['rare', 2],
        ['common', 10],
      ]),
    );
  });

  it('skips a token that occurs in half of a large table, unless the query has no other', async () => {
    await writeChunks('s', 600);
    const counts = createTokenCounts(database);
    expect(counts.telling('chunk_fts', ['common', 'rare'])).toEqual(['rare']);
    expect(counts.telling('chunk_fts', ['common'])).toEqual(['common']);
  });

  it('returns the rarest tokens for the requested number of rows, and all if that would save little', async () => {
    await writeChunks('s', 600);
    const counts = createTokenCounts(database);
    const rarest = (rows: number) => counts.rarest('chunk_fts', ['common', 'rare', 'none'], rows);
    expect(rarest(100)).toEqual(['none', 'rare']);
    expect(rarest(150)).toEqual(['none', 'rare', 'common']);
    expect(rarest(300)).toEqual(['common', 'rare', 'none']);
  });

  it('skips no token in a small table', async () => {
    await writeChunks('s', 10);
    expect(createTokenCounts(database).telling('chunk_fts', ['common', 'rare'])).toEqual(['common', 'rare']);
  });

  it('changes no score by skipping tokens, because FTS5 gives them a millionth of the weight', async () => {
    await writeChunks('s', 600);
    const ask = database.prepare(
      'SELECT rowid, -rank AS score FROM chunk_fts WHERE chunk_fts MATCH ? ORDER BY rank LIMIT 50',
    );
    const scores = (tokens: string) => ask.all(tokens).map(({ score }) => Number(score));
    const apart = scores('"common" OR "rare"').map((score, i) => score - (scores('"rare"')[i] ?? 0));
    expect(Math.max(...apart.map(Math.abs))).toBeLessThan(1e-5);
  });
});

describe('a search of a large table', () => {
  it.each([
    ['every session', {}],
    ['those of an agent', { agent: 'claude' as const }],
    ['those until a time', { asOf: '2027-01-01' }],
  ])('scores rows with a rare word by all words of the query, among %s', async (_, filter) => {
    await store.write([changeOf({ id: 's', chunks: ['alpha rare', 'other rare', 'alpha'] })]);
    const find = async () => {
      const query = { tokens: ['alpha', 'beta', 'gamma', 'rare'], vector: null, filter };
      return (await searchLists(store, query)).chunksByWords ?? [];
    };
    fillWords(4500);
    const many = await find();
    expect(many.map(({ point_id }) => point_id)).toEqual([
      pointId('s', 'chunk', 0),
      pointId('s', 'chunk', 1),
    ]);
    expect(many[0]?.score).toBeGreaterThan(many[1]?.score ?? 0);
  });
});

/** Rows with one frequent word each that belong to no passage. */
function fillWords(rows: number): void {
  for (const [at, word] of ['alpha', 'beta', 'gamma'].entries())
    database.exec(`
      INSERT INTO chunk_fts (rowid, tokens)
        WITH RECURSIVE row (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM row WHERE number < ${rows})
        SELECT ${(at + 1) * 100_000} + number, '${word}' FROM row
    `);
}
