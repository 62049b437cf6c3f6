import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openDatabase } from '../../../src/adapters/sqlite/database/open-database.ts';
import { dropIndex } from '../../../src/adapters/sqlite/outbox/drop-index.ts';
import { openSqlitePointStore } from '../../../src/adapters/sqlite/points/sqlite-point-store.ts';
import { embedAll } from '../../contract/point-store/use-store.ts';
import { tempFolder } from '../../support/files/temp-folder.ts';
import { changeOf, growth, SAMPLE_CHUNKING, type Sample } from '../../support/transcripts/sample-sessions.ts';

it('keeps the counts of points that a scan would find, whatever is written, embedded, replaced or deleted', async () => {
  const path = join(tempFolder('counts'), 'index.db');
  const before: Sample = { id: 'a', chunks: ['one', 'two'], intents: ['why'], ideas: [{}], spans: [{}] };
  const after: Sample = { ...before, chunks: ['one', 'changed', 'three'], intents: [] };
  const store = openSqlitePointStore(path, SAMPLE_CHUNKING);
  const steps = [
    () => store.write([changeOf(before), changeOf({ ...before, id: 'b' })]),
    () => embedAll(store),
    () => store.write([growth(before, after)]),
    () => embedAll(store),
    () => store.deleteSessions(['b']),
    () => store.deleteSessions(['a']),
  ];
  const chunks: number[] = [];
  for (const step of steps) {
    await step();
    expect(countsIn(path)).toEqual(scannedIn(path));
    chunks.push((await store.count()).chunks);
  }
  expect(chunks).toEqual([4, 4, 5, 5, 3, 0]);
  await store.write([changeOf(before)]);
  await store.close();
  dropIndex(path);
  expect(countsIn(path)).toEqual([]);
});

const countsIn = (path: string) =>
  rowsOf(
    path,
    'SELECT type, points, waiting FROM point_counts WHERE points <> 0 OR waiting <> 0 ORDER BY type',
  );
const scannedIn = (path: string) =>
  rowsOf(
    path,
    'SELECT type, count(*) AS points, sum(has_vector = 0) AS waiting FROM points GROUP BY type ORDER BY type',
  );

function rowsOf(path: string, sql: string): object[] {
  const database = openDatabase(path);
  try {
    return database
      .prepare(sql)
      .all()
      .map((row) => ({ ...row }));
  } finally {
    database.close();
  }
}
