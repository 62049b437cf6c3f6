import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readLegacyCollection } from '../../src/adapters/qdrant/legacy-collection.ts';
import { openQdrantPointStore } from '../../src/adapters/qdrant/qdrant-point-store.ts';
import { writeLegacyCollection } from '../support/legacy-collection.ts';
import type { QdrantDouble } from '../support/qdrant-double/server.ts';
import { qdrantOptions, startCheckedDouble } from '../support/qdrant-place.ts';

describe('a collection of the Python program', { timeout: 60_000 }, () => {
  let double: QdrantDouble;
  beforeEach(async () => {
    double = await startCheckedDouble();
    const many = Array.from({ length: 620 }, (_, index) => `USER: part ${index}`);
    const sessions = [
      { id: 'old', chunks: many, intents: ['fix the engine', 'and the valve'] },
      {
        id: 'new',
        chunks: ['USER: hi\nASSISTANT: hello'],
        intents: ['hi'],
        timestamp: '2025-02-18T14:30:00Z',
      },
    ];
    const vector = Array.from({ length: 384 }, () => 1);
    const foreign = { id: 7, vector, payload: { type: 'chunk', something: 'else' } };
    await writeLegacyCollection(double.url, 'claude_sessions', sessions, [foreign]);
  });
  afterEach(() => double.close());

  it('lists its sessions, newest first', async () => {
    const legacy = await readLegacyCollection(qdrantOptions(double.url));
    expect(await legacy?.sessions()).toEqual({
      sessions: [
        expect.objectContaining({ session_id: 'new', chunks: 1, intents: 1 }),
        {
          session_id: 'old',
          repo_id: 'a1b2c3d4',
          repo_name: 'engine',
          repo_path: '/c/Github/engine',
          machine: 'DESKTOP',
          timestamp: '2025-01-18T14:30:00Z',
          content_hash: 'sha256:old',
          chunks: 620,
          intents: 2,
        },
      ],
      skipped: 1,
    });
    legacy?.close();
  });

  it('gives the texts of a session in order', async () => {
    const legacy = await readLegacyCollection(qdrantOptions(double.url));
    const texts = await legacy?.read('old');
    expect(texts?.intents).toEqual(['fix the engine', 'and the valve']);
    expect(texts?.chunks).toEqual(Array.from({ length: 620 }, (_, index) => `USER: part ${index}`));
    expect(await legacy?.read('nobody')).toEqual({ intents: [], chunks: [] });
    legacy?.close();
  });

  it('is taken for no other, and no other for one', async () => {
    expect(await readLegacyCollection(qdrantOptions(double.url, { collection: 'nothing' }))).toBeNull();
    const store = openQdrantPointStore(qdrantOptions(double.url, { collection: 'ours' }));
    await store.info();
    expect(await readLegacyCollection(qdrantOptions(double.url, { collection: 'ours' }))).toBeNull();
    await store.close();
  });
});
