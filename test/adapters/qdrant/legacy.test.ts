import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { readLegacyCollection } from '../../../src/adapters/qdrant/collection/legacy-collection.ts';
import { openQdrantPointStore } from '../../../src/adapters/qdrant/qdrant-point-store.ts';
import type { LegacyPoint } from '../../../src/ports/remote-store.ts';
import type { QdrantDouble } from '../../support/qdrant/double/server.ts';
import { writeLegacyCollection } from '../../support/qdrant/legacy-collection.ts';
import { qdrantOptions, startCheckedDouble } from '../../support/qdrant/qdrant-place.ts';

describe('the Python program’s collection', { timeout: 60_000 }, () => {
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

  const open = async () => {
    const legacy = await readLegacyCollection(qdrantOptions(double.url));
    if (legacy === null) throw new Error('the collection was not recognised');
    onTestFinished(() => legacy.close());
    return legacy;
  };

  it('reads the metadata of all points in the Python program’s collection, and in no other', async () => {
    const points = await collect((await open()).points({ texts: false }));
    expect(points).toHaveLength(624);
    expect(points.every(({ text }) => text === null)).toBe(true);
    expect(points.find(({ session_id, type }) => session_id === 'old' && type === 'intent')).toMatchObject({
      repo_id: 'a1b2c3d4',
      repo_name: 'engine',
      repo_path: '/c/Github/engine',
      machine: 'DESKTOP',
      timestamp: '2025-01-18T14:30:00Z',
      content_hash: 'sha256:old',
    });
  });

  it('reads the texts of one of the Python program’s sessions', async () => {
    const legacy = await open();
    const points = await collect(legacy.points({ texts: true, sessionIds: ['old'] }));
    points.sort((a, b) => a.chunk_index - b.chunk_index);
    const of = (wanted: string) => points.filter(({ type }) => type === wanted).map(({ text }) => text);
    expect(of('intent')).toEqual(['fix the engine', 'and the valve']);
    expect(of('chunk')).toEqual(Array.from({ length: 620 }, (_, index) => `USER: part ${index}`));
    expect(await collect(legacy.points({ texts: true, sessionIds: ['nobody'] }))).toEqual([]);
  });

  it('recognizes the Python program’s collection, and mistakes no other for one', async () => {
    expect(await readLegacyCollection(qdrantOptions(double.url, { collection: 'nothing' }))).toBeNull();
    const store = openQdrantPointStore(qdrantOptions(double.url, { collection: 'ours' }));
    await store.info();
    expect(await readLegacyCollection(qdrantOptions(double.url, { collection: 'ours' }))).toBeNull();
    await store.close();
  });
});

async function collect(pages: AsyncGenerator<LegacyPoint[]>): Promise<LegacyPoint[]> {
  const all: LegacyPoint[] = [];
  for await (const page of pages) all.push(...page);
  return all;
}
