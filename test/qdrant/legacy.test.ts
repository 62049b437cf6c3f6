import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readLegacyCollection } from '../../src/adapters/qdrant/legacy-collection.ts';
import { openQdrantPointStore } from '../../src/adapters/qdrant/qdrant-point-store.ts';
import { pointId } from '../../src/domain/point-id.ts';
import type { QdrantDouble } from '../support/qdrant-double/server.ts';
import { qdrantOptions, startCheckedDouble } from '../support/qdrant-place.ts';

const vector = Array.from({ length: 384 }, (_, at) => Math.sin(at));

/** Points as the Python program wrote them. */
function pointsOf(session: string, chunks: string[], intents: string[], timestamp: string) {
  const common = { repo_id: 'a1b2c3d4', repo_name: 'engine', session_id: session };
  return [
    ...intents.map((intent_text, chunk_index) => ({
      id: pointId(session, 'intent', chunk_index),
      vector,
      payload: {
        type: 'intent',
        ...common,
        repo_path: '/c/Github/engine',
        machine: 'DESKTOP',
        timestamp,
        content_hash: `sha256:${session}`,
        intent_text,
        chunk_index,
        total_chunks: intents.length,
        transcript_chunk_count: chunks.length,
      },
    })),
    ...chunks.map((content, chunk_index) => ({
      id: pointId(session, 'chunk', chunk_index),
      vector,
      payload: { type: 'chunk', ...common, chunk_index, total_chunks: chunks.length, content },
    })),
  ];
}

describe('a collection of the Python program', { timeout: 60_000 }, () => {
  let double: QdrantDouble;
  beforeEach(async () => {
    double = await startCheckedDouble();
    const put = (path: string, body: unknown) =>
      fetch(`${double.url}/collections/claude_sessions${path}`, {
        method: 'PUT',
        body: JSON.stringify(body),
      });
    await put('', { vectors: { size: 384, distance: 'Cosine', on_disk: true } });
    for (const field_name of ['repo_id', 'repo_name', 'session_id', 'type', 'machine']) {
      await put('/index?wait=true', { field_name, field_schema: 'keyword' });
    }
    const many = Array.from({ length: 620 }, (_, index) => `USER: part ${index}`);
    const points = [
      ...pointsOf('old', many, ['fix the engine', 'and the valve'], '2025-01-18T14:30:00Z'),
      ...pointsOf('new', ['USER: hi\nASSISTANT: hello'], ['hi'], '2025-02-18T14:30:00Z'),
      { id: 7, vector, payload: { type: 'chunk', something: 'else' } },
    ];
    await put('/points?wait=true', { points });
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
