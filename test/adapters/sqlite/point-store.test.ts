import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openSqlitePointStore } from '../../../src/adapters/sqlite/points/sqlite-point-store.ts';
import { describePointStore } from '../../contract/point-store.ts';
import { searchLists } from '../../support/stores/ask-store.ts';
import { changeOf, growth, SAMPLE_CHUNKING, tokensOf } from '../../support/transcripts/sample-sessions.ts';

describePointStore('SQLite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'smart-fork-store-'));
  return {
    open: async () => openSqlitePointStore(join(folder, 'index.db'), SAMPLE_CHUNKING),
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  };
});

it('updates the keywords of sessions that grew or shrank in a refresh', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'smart-fork-store-'));
  const store = openSqlitePointStore(join(folder, 'index.db'), SAMPLE_CHUNKING);
  const before = { id: 's', chunks: ['first words', 'second'] };
  const after = { id: 's', chunks: ['first words', 'other thoughts', 'third'] };
  await store.write([changeOf(before)]);
  await store.write([growth(before, after)]);
  const limits = { sessions: 5, chunks: 5, intents: 5 };
  const found = async (word: string) => {
    const lists = await searchLists(store, { tokens: tokensOf(word), vector: null, filter: {}, limits });
    return lists.sessionsByWords?.length;
  };
  expect(await found('third')).toBe(0);
  expect(await store.refresh()).toBe(1);
  expect(await store.refresh()).toBe(0);
  for (const word of ['first', 'other', 'thoughts', 'third']) expect(await found(word)).toBe(1);
  expect(await found('second')).toBe(0);
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});
