import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
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
