import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { isLoose } from '../../../src/adapters/sqlite/database/compact.ts';
import { openDatabase, openReadOnly } from '../../../src/adapters/sqlite/database/open-database.ts';
import { dropIndex } from '../../../src/adapters/sqlite/outbox/drop-index.ts';
import { openSqlitePointStore } from '../../../src/adapters/sqlite/points/sqlite-point-store.ts';
import { createTextSource } from '../../bench/data/generated-text.ts';
import { tempFolder } from '../../support/files/temp-folder.ts';
import { changeOf, SAMPLE_CHUNKING } from '../../support/transcripts/sample-sessions.ts';

it('gives a file back the pages that it no longer uses, once they are a tenth of it', async () => {
  const path = join(tempFolder('loose'), 'index.db');
  const text = createTextSource(1);
  const ids = Array.from({ length: 40 }, (_, at) => `session-${at}`);
  const filling = openSqlitePointStore(path, SAMPLE_CHUNKING);
  for (const [at, id] of ids.entries()) {
    const chunks = Array.from({ length: 20 }, () => text.words(at, 400).join(' '));
    await filling.write([changeOf({ id, chunks })]);
  }
  await filling.close();
  const full = statSync(path).size;
  const store = openSqlitePointStore(path, SAMPLE_CHUNKING);
  await store.deleteSessions(ids.slice(10));
  await store.refresh();
  const { sessions, chunks } = await store.count();
  await store.close();
  expect({ sessions, chunks }).toEqual({ sessions: 10, chunks: 200 });
  expect(statSync(path).size).toBeLessThan(full / 2);
});

it('fills the pages of vectors, which are added in another order than their rows, once', async () => {
  const path = join(tempFolder('scattered'), 'index.db');
  const text = createTextSource(1);
  const model = { id: 'test', dimensions: 768 };
  const store = openSqlitePointStore(path, SAMPLE_CHUNKING);
  const changes = Array.from({ length: 300 }, (_, at) => {
    const words = () => text.words(at, 8).join(' ');
    return changeOf({ id: `session-${at}`, chunks: [words(), words(), words()], intents: [words()] });
  });
  await store.write(changes);
  for (;;) {
    const points = await store.pointsWithoutVector(100);
    if (points.length === 0) break;
    const items = points.map(({ id, payload }, at) => {
      return { id, contentHash: payload.content_hash, vector: text.vector(at, model.dimensions) };
    });
    await store.setVectors(model, items);
  }
  const { vectors } = await store.count();
  expect(vectors).toBe(1200);
  const vector = text.vector(7, model.dimensions);
  const read = async () => {
    const { lists } = await store.find({
      tokens: null,
      vector,
      filter: {},
    });
    return lists.chunksByVector;
  };
  const reader = openReadOnly(path, 1000);
  const pages = () => Number(reader.prepare('PRAGMA page_count').get()?.page_count);
  const before = { pages: pages(), found: await read() };
  await store.refresh();
  expect(pages()).toBeLessThan(0.95 * before.pages);
  reader.close();
  expect(await read()).toEqual(before.found);
  const after = statSync(path);
  await store.refresh();
  expect(statSync(path).mtimeMs).toBe(after.mtimeMs);
  await store.close();
  // A new index is packed at its own size, not at twice that of the old one.
  dropIndex(path);
  const database = openDatabase(path);
  expect(isLoose(database)).toBe(false);
  database.exec("INSERT INTO vectors (rowid, vector) VALUES (1000, x'00')");
  expect(isLoose(database)).toBe(true);
  database.close();
});
