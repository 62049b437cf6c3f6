import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getLoadablePath } from 'sqlite-vec';
import { expect, it } from 'vitest';
import { openDatabase } from '../../../src/adapters/sqlite/database/open-database.ts';
import { openSqlitePointStore } from '../../../src/adapters/sqlite/points/sqlite-point-store.ts';
import { embedAll } from '../../contract/point-store/use-store.ts';
import { searchLists } from '../../support/stores/ask-store.ts';
import { changeOf, SAMPLE_CHUNKING, vectorOf } from '../../support/transcripts/sample-sessions.ts';

const FEW = Array.from({ length: 100 }, (_, number) => `Passage ${number} of the first session.`);
const MORE = Array.from({ length: 100 }, (_, number) => `Passage ${number} of the second session.`);

it('ranks the same passages the same in vector tables of this version and of older ones with larger blocks', async () => {
  const newer = await nearest(FEW, MORE, () => undefined);
  expect(newer).toMatchObject({ hits: 150, block: 64 });
  const older = await nearest(FEW, MORE, makeLargeBlocks);
  expect(older).toEqual({ ...newer, block: 1024 });
});

/** Writes and embeds one session, changes the file, writes and embeds another, and searches both. */
async function nearest(first: string[], second: string[], change: (path: string) => void) {
  const folder = mkdtempSync(join(tmpdir(), 'vector-blocks-'));
  const path = join(folder, 'index.db');
  try {
    await add(path, 'first', first);
    change(path);
    await add(path, 'second', second);
    const store = openSqlitePointStore(path, SAMPLE_CHUNKING);
    const limits = { sessions: 1, chunks: 150, intents: 1 };
    const query = { tokens: null, vector: vectorOf('Which passage?'), filter: {}, limits };
    const { chunksByVector } = await searchLists(store, query);
    await store.close();
    const ranks = chunksByVector?.map(({ point_id, score }) => `${point_id} ${score}`) ?? [];
    return { hits: ranks.length, ranks, block: blockOf(path) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function add(path: string, id: string, chunks: string[]): Promise<void> {
  const store = openSqlitePointStore(path, SAMPLE_CHUNKING);
  await store.write([changeOf({ id, chunks })]);
  await embedAll(store);
  await store.close();
}

/** As versions did that left the size of blocks to sqlite-vec. */
function makeLargeBlocks(path: string): void {
  const database = openDatabase(path);
  database.enableLoadExtension(true);
  database.loadExtension(getLoadablePath());
  const { sql } = database.prepare("SELECT sql FROM sqlite_master WHERE name = 'chunk_vectors'").get() ?? {};
  database.exec(`
    CREATE TEMP TABLE kept AS SELECT rowid AS point, vector FROM chunk_vectors;
    DROP TABLE chunk_vectors;
    ${String(sql).replace(/, chunk_size = \d+/, '')};
    INSERT INTO chunk_vectors (rowid, vector) SELECT point, vector FROM kept;
  `);
  database.close();
}

function blockOf(path: string): number {
  const database = openDatabase(path);
  const row = database.prepare('SELECT max(size) AS size FROM chunk_vectors_chunks').get();
  database.close();
  return Number(row?.size);
}
