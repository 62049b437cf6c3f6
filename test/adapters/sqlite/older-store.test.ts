import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openMigrated } from '../../../src/adapters/sqlite/database/migrate.ts';
import { inTransaction, openDatabase } from '../../../src/adapters/sqlite/database/open-database.ts';
import { INDEX_SCHEMA } from '../../../src/adapters/sqlite/database/schemas.ts';
import { unpackPayload } from '../../../src/adapters/sqlite/points/pack-payload.ts';
import { openSqlitePointStore } from '../../../src/adapters/sqlite/points/sqlite-point-store.ts';
import { hashOf, pointIdOf } from '../../../src/adapters/sqlite/points/stored-ids.ts';
import { pointText } from '../../../src/domain/point/point.ts';
import type { SessionChange } from '../../../src/ports/point-store.ts';
import { embedAll } from '../../contract/point-store/use-store.ts';
import { tempFolder } from '../../support/files/temp-folder.ts';
import {
  changeOf,
  SAMPLE_CHUNKING,
  SAMPLE_MODEL,
  vectorOf,
} from '../../support/transcripts/sample-sessions.ts';

const OLD = { ...INDEX_SCHEMA, steps: INDEX_SCHEMA.steps.slice(0, 1) };

it('reads everything in a store of version 7, which had plain texts and vectors of full length', async () => {
  const path = join(tempFolder('older'), 'index.db');
  const change = changeOf({
    id: 'old',
    chunks: ['Redis runs the queue.', 'The cache is in memory.'],
    intents: ['Which queue?'],
    ideas: [
      { content: 'Use Redis', kind: 'decision', entities: ['tool:redis'] },
      { content: 'Is it fast?', kind: 'question', isOpen: true },
    ],
    spans: [{ name: 'Queue' }],
  });
  const points = change.upserts.map(({ point }) => point);
  await writeOld(path, change);
  const store = openSqlitePointStore(path, SAMPLE_CHUNKING);
  const stored = await store.getPoints(
    points.map(({ id }) => id),
    { vectors: true },
  );
  const open = await store.listMemory('idea', { open: true }, 9);
  const decided = await store.listMemory('idea', { kinds: ['decision'], entities: ['tool:redis'] }, 9);
  const query = { tokens: ['redis'], vector: vectorOf('Redis runs the queue.'), filter: {} };
  const { lists } = await store.find(query);
  const kinds = await store.facet('kind');
  await store.deleteSessions(['old']);
  const left = await store.listMemory('idea', { entities: ['tool:redis'] }, 9);
  await store.close();
  expect(stored.map(({ id, payload }) => ({ id, payload })).sort(byId)).toEqual([...points].sort(byId));
  expect(
    stored.every(({ hasVector, vector }) => hasVector && vector?.length === SAMPLE_MODEL.dimensions),
  ).toBe(true);
  expect(open.map(({ content }) => content)).toEqual(['Is it fast?']);
  expect(decided.map(({ content }) => content)).toEqual(['Use Redis']);
  expect(lists.chunksByWords).toMatchObject([{ session_id: 'old', point_id: points[1]?.id }]);
  expect(lists.chunksByVector?.[0]).toMatchObject({ point_id: points[1]?.id });
  expect(lists.chunksByVector?.[0]?.score).toBeCloseTo(1, 3);
  expect(kinds).toEqual([
    { value: 'decision', count: 1 },
    { value: 'question', count: 1 },
  ]);
  expect(left).toEqual([]);
});

it('refuses what a program of version 7 writes that was running during the update', async () => {
  const path = join(tempFolder('running'), 'index.db');
  await writeOld(path, changeOf({ id: 'old', chunks: ['Redis runs the queue.'] }));
  const older = openMigrated(path, OLD);
  const plain = openDatabase(path);
  const insert = plain.prepare(
    `INSERT INTO points (id, session, type, chunk_index, content_hash, payload)
      SELECT 'text id', session, type, 9, 'sha256:0', '{}' FROM points LIMIT 1`,
  );
  const update = plain.prepare("UPDATE points SET payload = '{}'");
  const store = openSqlitePointStore(path, SAMPLE_CHUNKING);
  const refused = 'smart-fork was updated';
  expect(() => insert.run()).toThrow(refused);
  expect(() => update.run()).toThrow(refused);
  // A program that checks the version says it before it writes.
  const write = () => older.guard(() => inTransaction(older.database, () => expect.unreachable()));
  expect(write).toThrow(expect.objectContaining({ code: 'STORE_INCOMPATIBLE' }));
  await store.write([changeOf({ id: 'new', chunks: ['Redis runs the cache.'] })]);
  const { lists } = await store.find({ tokens: ['redis'], vector: null, filter: {} });
  expect(lists.chunksByWords?.map(({ session_id }) => session_id).sort()).toEqual(['new', 'old']);
  plain.close();
  older.database.close();
  await store.close();
});

/** Writes a store of today, and its rows as version 7 had them. */
async function writeOld(path: string, change: SessionChange): Promise<void> {
  const today = `${path}.today`;
  const store = openSqlitePointStore(today, SAMPLE_CHUNKING);
  await store.write([change]);
  await embedAll(store);
  await store.close();
  const { database } = openMigrated(path, OLD);
  const columns =
    'rowid, id, session, type, chunk_index, ended_at, content_hash, has_vector, payload, text_revision, vector_revision';
  database.exec(`ATTACH '${today}' AS today; DELETE FROM meta; INSERT INTO meta SELECT * FROM today.meta;
    INSERT INTO sessions SELECT * FROM today.sessions; INSERT INTO signs SELECT * FROM today.signs;
    INSERT INTO entities SELECT * FROM today.entities;
    INSERT INTO points (${columns}) SELECT ${columns} FROM today.points`);
  const texts = new Map(change.upserts.map(({ point, tokens }) => [point.id, { point, tokens }]));
  const write = database.prepare('UPDATE points SET id = ?, content_hash = ?, payload = ? WHERE rowid = ?');
  for (const row of database.prepare('SELECT * FROM points').all()) {
    const { point, tokens } = texts.get(pointIdOf(row)) ?? {};
    const at = Number(row.rowid);
    write.run(pointIdOf(row), hashOf(row), unpackPayload(row.payload), at);
    const vector = vectorOf(point === undefined ? '' : pointText(point.payload));
    database.prepare('INSERT INTO vectors VALUES (?, ?)').run(at, new Uint8Array(vector.buffer));
    const table = row.type === 'chunk' ? 'chunk_fts' : 'memory_fts';
    if (tokens != null)
      database.prepare(`INSERT INTO ${table} (rowid, tokens) VALUES (?, ?)`).run(at, tokens);
  }
  database.close();
}

function byId(one: { id: string }, other: { id: string }): number {
  return one.id < other.id ? -1 : 1;
}
