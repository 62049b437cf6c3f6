import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openDatabase, versionOf } from '../../../src/adapters/sqlite/database/open-database.ts';
import { dropIndex } from '../../../src/adapters/sqlite/outbox/drop-index.ts';
import { openSqlitePointStore } from '../../../src/adapters/sqlite/points/sqlite-point-store.ts';
import { pointId } from '../../../src/domain/point/point-id.ts';
import { embedAll } from '../../contract/point-store/use-store.ts';
import { tempFolder } from '../../support/files/temp-folder.ts';
import { createWorld, openWorld } from '../../support/machines/world.ts';
import { searchLists } from '../../support/stores/ask-store.ts';
import { releaseDatabases } from '../../support/stores/release-databases.ts';
import {
  changeOf,
  SAMPLE_CHUNKING,
  SAMPLE_MODEL,
  vectorOf,
} from '../../support/transcripts/sample-sessions.ts';

const OLD = changeOf({ id: 'old', chunks: ['The harbour cranes are painted yellow.'] });
const NEW = changeOf({ id: 'new', chunks: ['The lighthouse has a green roof.'] });

it('empties a store that other connections have open, which then use the new one', async () => {
  const path = join(tempFolder('drop-index'), 'index.db');
  const open = openSqlitePointStore(path, SAMPLE_CHUNKING);
  await open.write([OLD]);
  await embedAll(open);
  const words = { tokens: ['harbour', 'lighthouse'], vector: vectorOf('roof'), filter: {} };
  const ids = async () => {
    const { chunksByWords, chunksByVector } = await searchLists(open, words);
    return [chunksByWords, chunksByVector].map((list) => list?.map(({ session_id }) => session_id));
  };
  expect(await ids()).toEqual([['old'], ['old']]);
  const before = await open.info();

  dropIndex(path);
  expect(await open.info()).toMatchObject({
    model: null,
    chunking: null,
    storeId: expect.not.stringMatching(before.storeId),
  });
  expect(await open.count()).toMatchObject({ sessions: 0, chunks: 0, vectors: 0 });
  expect(await ids()).toEqual([[], []]);

  await open.write([NEW]);
  const wider = { ...SAMPLE_MODEL, id: 'test/wider', dimensions: 16 };
  const vector = Float32Array.from({ length: 16 }, (_, at) => at + 1);
  const [point] = NEW.upserts;
  await open.setVectors(wider, [
    { id: pointId('new', 'chunk'), contentHash: point?.point.payload.content_hash ?? '', vector },
  ]);
  expect((await searchLists(open, { ...words, vector })).chunksByVector).toMatchObject([
    { session_id: 'new' },
  ]);
  await open.close();
});

it('keeps tags only until their sessions are written again', async () => {
  const path = join(tempFolder('drop-index'), 'index.db');
  const store = openSqlitePointStore(path, SAMPLE_CHUNKING);
  await store.write([OLD, NEW]);
  await store.setTags('old', ['harbour', 'starred']);
  await store.setTags('new', ['gone']);
  dropIndex(path);
  // Emptied again after the sessions were indexed only in part, or not at all.
  dropIndex(path);
  await store.write([OLD]);
  expect((await store.getSessions(['old']))[0]?.tags).toEqual(['harbour', 'starred']);
  dropIndex(path);
  await store.deleteSessions(['new']);
  await store.write([OLD, NEW]);
  const tags = new Map((await store.getSessions(['old', 'new'])).map((one) => [one.session_id, one.tags]));
  expect(Object.fromEntries(tags)).toEqual({ old: ['harbour', 'starred'], new: [] });
  await store.setTags('old', []);
  await store.deleteSessions(['old']);
  await store.write([OLD]);
  expect((await store.getSessions(['old']))[0]?.tags).toEqual([]);
  await store.close();
});

it('keeps a store of a newer version, and says so', async () => {
  const path = join(tempFolder('drop-index'), 'index.db');
  const store = openSqlitePointStore(path, SAMPLE_CHUNKING);
  await store.write([OLD]);
  await store.close();
  const database = openDatabase(path);
  const version = versionOf(database);
  database.exec(`PRAGMA user_version = ${version + 1}`);
  expect(() => dropIndex(path)).toThrow(
    expect.objectContaining({
      code: 'STORE_INCOMPATIBLE',
      message: expect.stringContaining('was written by a newer smart-fork'),
    }),
  );
  database.exec(`PRAGMA user_version = ${version}`);
  database.close();
  const again = openSqlitePointStore(path, SAMPLE_CHUNKING);
  expect(await again.count()).toMatchObject({ sessions: 1, chunks: 1 });
  await again.close();
});

it('deletes a damaged file', () => {
  const path = join(tempFolder('drop-index'), 'index.db');
  writeFileSync(path, 'not a database'.repeat(100));
  dropIndex(path);
  expect(existsSync(path)).toBe(false);
});

it('reports a replaced index once to a process that keeps running', async () => {
  const parts = await openWorld(createWorld());
  await (await parts.local()).write([OLD]);
  dropIndex(parts.localFile.path);
  expect(await parts.localFile.isReplaced()).toBe(true);
  await parts.noticeChanges();
  await parts.local();
  expect(await parts.localFile.isReplaced()).toBe(false);
});

it('leaves no byte of the dropped index in the store', async () => {
  const path = join(tempFolder('drop-index'), 'index.db');
  const store = openSqlitePointStore(path, SAMPLE_CHUNKING);
  await store.write([OLD]);
  await store.close();
  const holdsText = async () => {
    await releaseDatabases();
    return [path, `${path}-wal`].some((one) => existsSync(one) && readFileSync(one).includes('harbour'));
  };
  expect(await holdsText()).toBe(true);
  dropIndex(path);
  expect(await holdsText()).toBe(false);
});
