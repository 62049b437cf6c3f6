import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/adapters/sqlite/database/open-database.ts';
import { unpackPayload } from '../../../src/adapters/sqlite/points/pack-payload.ts';
import { openSqlitePointStore } from '../../../src/adapters/sqlite/points/sqlite-point-store.ts';
import { toStoredId } from '../../../src/adapters/sqlite/points/stored-ids.ts';
import { embedAll } from '../../contract/point-store/use-store.ts';
import { changeOf, SAMPLE_CHUNKING, type Sample } from '../../support/transcripts/sample-sessions.ts';

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
});
afterEach(() => {
  rmSync(folder, { recursive: true });
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
      .prepare('SELECT payload FROM points WHERE id = ?')
      .get(toStoredId(points[0]?.id ?? ''));
    database.close();
    const json = unpackPayload(stored?.payload);
    expect(json).toContain('Which queue?');
    expect(json).not.toContain('session_id');
    expect(json).not.toContain(session.payload.repo_id);
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
