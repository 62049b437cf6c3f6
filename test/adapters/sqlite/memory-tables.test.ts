import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/adapters/sqlite/database/open-database.ts';
import { openSqlitePointStore } from '../../../src/adapters/sqlite/points/sqlite-point-store.ts';
import { embedAll } from '../../contract/point-store/use-store.ts';
import { makeOlderVectors } from '../../support/stores/older-vectors.ts';
import {
  changeOf,
  growth,
  SAMPLE_CHUNKING,
  type Sample,
  tokensOf,
  vectorOf,
} from '../../support/transcripts/sample-sessions.ts';

const BEFORE: Sample = { id: 'older', chunks: ['Redis runs the queue.'], intents: ['Which queue?'] };
const AFTER: Sample = { ...BEFORE, ideas: [{ content: 'Use Redis' }], spans: [{ name: 'Queue' }] };

let folder: string;
let path: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'memory-tables-'));
  path = join(folder, 'index.db');
  const store = openSqlitePointStore(path, SAMPLE_CHUNKING);
  await store.write([changeOf(BEFORE)]);
  await embedAll(store);
  await store.close();
  makeOlder(path);
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

describe('a SQLite store from before ideas and spans', () => {
  it('adds ideas and spans with their vectors to an older store, and keeps its contents', async () => {
    const store = openSqlitePointStore(path, SAMPLE_CHUNKING);
    expect(await store.count()).toMatchObject({ chunks: 1, vectors: 2, memory: { ideas: 0, spans: 0 } });
    await store.write([growth(BEFORE, AFTER)]);
    await embedAll(store);
    const query = { tokens: tokensOf('Redis'), vector: vectorOf('Use Redis'), filter: {} };
    const { memory } = await store.find({ ...query, memory: {} });
    expect(memory?.ideasByWords).toHaveLength(1);
    expect(memory?.ideasByVector?.[0]?.score).toBeCloseTo(1, 3);
    expect((await store.find(query)).lists.chunksByWords).toHaveLength(1);
    expect(await store.deleteSessions(['older'])).toBe(1);
    expect(await store.count()).toMatchObject({ chunks: 0, vectors: 0, memory: { ideas: 0, spans: 0 } });
    await store.close();
  });
});

describe('payloads in a SQLite store', () => {
  const { session, upserts } = changeOf({ ...AFTER, id: 'short' });
  const points = upserts.map(({ point }) => point);
  const read = async () => {
    const store = openSqlitePointStore(path, SAMPLE_CHUNKING);
    const found = await store.getPoints(points.map(({ id }) => id));
    await store.close();
    return found.map(({ id, payload }) => ({ id, payload })).sort(byId);
  };
  beforeEach(async () => {
    const store = openSqlitePointStore(path, SAMPLE_CHUNKING);
    await store.write([changeOf({ ...AFTER, id: 'short' })]);
    await store.close();
  });

  it('reads complete payloads although rows do not repeat their session’s fields', async () => {
    expect(await read()).toEqual([...points].sort(byId));
    const database = openDatabase(path);
    const stored = database
      .prepare("SELECT payload FROM points WHERE id = ? AND payload NOT LIKE '%session_id%'")
      .all(points[0]?.id ?? '');
    expect(stored).toHaveLength(1);
    expect(String(stored[0]?.payload)).not.toContain(session.payload.repo_id);
    database.close();
  });

  it('reads payloads from older versions, which repeat those fields', async () => {
    const database = openDatabase(path);
    for (const { id, payload } of points)
      database.prepare('UPDATE points SET payload = ? WHERE id = ?').run(JSON.stringify(payload), id);
    database.close();
    expect(await read()).toEqual([...points].sort(byId));
  });

  it('deletes the entities of deleted ideas', async () => {
    const store = openSqlitePointStore(path, SAMPLE_CHUNKING);
    await store.write([
      changeOf({ id: 'named', ideas: [{ content: 'Use Redis', entities: ['tool:redis'] }] }),
    ]);
    const named = () => store.listMemory('idea', { entities: ['tool:redis'] }, 5);
    expect(await named()).toHaveLength(1);
    await store.deleteSessions(['named']);
    await store.close();
    const database = openDatabase(path);
    expect(database.prepare("SELECT * FROM entities WHERE name = 'tool:redis'").all()).toEqual([]);
    database.close();
  });
});

function byId(one: { id: string }, other: { id: string }): number {
  return one.id < other.id ? -1 : 1;
}

/** Removes from the file what versions before ideas did not have. */
function makeOlder(file: string): void {
  makeOlderVectors(file);
  const database = openDatabase(file);
  database.exec(`
    DROP TABLE memory_vocabulary; DROP TABLE memory_fts; DROP TABLE entities; DROP TABLE kept_tags;
    PRAGMA user_version = 3;
  `);
  database.close();
}
