import { describe, expect, it } from 'vitest';
import { QdrantAnswerError } from '../../../src/adapters/qdrant/http/retry.ts';
import { withDocuments } from '../../../src/adapters/qdrant/schema/documents.ts';
import { RECORD_ID } from '../../../src/adapters/qdrant/schema/store-record.ts';
import { SmartForkError } from '../../../src/domain/errors.ts';
import { pointId } from '../../../src/domain/point/point-id.ts';
import type { FindQuery } from '../../../src/ports/point-store.ts';
import { fieldsOf } from '../../support/qdrant/double/answer.ts';
import { CLOUD_MODEL, inferenceService, REFUSALS } from '../../support/qdrant/double/inference.ts';
import type { DoubleOptions } from '../../support/qdrant/double/server.ts';
import { nth } from '../../support/qdrant/qdrant-faults.ts';
import { useDoubles } from '../../support/qdrant/qdrant-place.ts';
import { refusalsInMemory } from '../../support/qdrant/refusals-in-memory.ts';
import { countWaiting, scoreChunks } from '../../support/stores/ask-store.ts';
import { changeOf, growth, type Sample, tokensOf } from '../../support/transcripts/sample-sessions.ts';

const LIMITS = { sessions: 20, chunks: 20, intents: 20 };
const MODEL = { id: CLOUD_MODEL, dimensions: 384 };
const CAR: Sample = {
  id: 'car',
  chunks: ['the car has a new piston', 'oil in the sump'],
  intents: ['fix it'],
};
const TREE: Sample = { id: 'tree', chunks: ['an oak and an ash'], intents: ['plant a tree'] };
const TEXTS = ['fix it', 'the car has a new piston', 'oil in the sump'];

const setUp = useDoubles();

async function withInference(options: DoubleOptions = {}) {
  const inference = inferenceService();
  const refusals = refusalsInMemory();
  const one = await setUp({ inference, ...options }, { model: MODEL, refusals });
  return { ...one, inference, refusals };
}

function asking(text: string): FindQuery {
  const tokens = tokensOf(text);
  return { tokens, vector: { text }, filter: {}, limits: LIMITS };
}

describe('a Qdrant server that embeds', { timeout: 60_000 }, () => {
  it('sends each text to embed once, in the request that writes it', async () => {
    const { double, store, inference } = await withInference();
    expect(await store.write([changeOf(CAR), changeOf(TREE)])).toEqual({ conflicts: [] });
    expect(inference.stored.toSorted()).toEqual([...TEXTS, 'an oak and an ash', 'plant a tree'].toSorted());
    expect(await store.count()).toMatchObject({ sessions: 2, vectors: 5 });
    expect((await store.info()).model).toEqual(MODEL);
    const from = double.requests.length;
    const longer = {
      ...CAR,
      chunks: [...(CAR.chunks ?? []), 'a gasket too'],
      record: { outcome: 'committed' },
    };
    expect(await store.write([growth(CAR, longer as Sample)])).toEqual({ conflicts: [] });
    expect(double.requests).toHaveLength(from + 3);
    expect(inference.stored.slice(5)).toEqual(['a gasket too']);
    expect(await countWaiting(store)).toEqual({ intents: 0, chunks: 0 });
  });

  it('adds an E5 model’s prefixes to passages and queries', async () => {
    const model = { id: 'intfloat/Multilingual-E5-small', dimensions: 384 };
    const inference = inferenceService({ [model.id]: 384 });
    const { store } = await setUp({ inference }, { model, refusals: refusalsInMemory() });
    await store.write([changeOf(TREE)]);
    await store.find(asking('an oak'));
    expect(inference.stored.toSorted()).toEqual(['passage: an oak and an ash', 'passage: plant a tree']);
    expect(inference.searched).toEqual(['query: an oak']);
  });

  it('does not embed an unchanged text again, whatever else changes', async () => {
    const { store, inference } = await withInference();
    await store.write([changeOf(CAR)]);
    await store.setTags('car', ['garage']);
    const { content_hash: expected } = changeOf(CAR).session.payload;
    const moved = { ...CAR, record: { machine: 'borea', repo_name: 'garage' } };
    expect(await store.write([changeOf(moved, expected)])).toEqual({ conflicts: [] });
    expect(inference.stored).toHaveLength(3);
    expect(await store.count({ machine: 'borea' })).toMatchObject({ sessions: 1, vectors: 3 });
    expect(await store.embedding?.embedPending(100)).toEqual({ embedded: 0, refused: null });
  });

  it('does not embed texts again that an interrupted write had stored', async () => {
    const chunks = Array.from({ length: 100 }, (_, at) => `text ${at}`);
    const isCommit = ({ body }: { body: unknown }) => JSON.stringify(body).includes('"delete":{"filter"');
    const { double, store, inference } = await withInference({ fault: nth(0, { answer: 400 }, isCommit) });
    const long: Sample = { id: 'long', chunks };
    await expect(store.write([changeOf(long)])).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    expect(inference.stored).toHaveLength(100);
    expect(await store.write([changeOf(long)])).toEqual({ conflicts: [] });
    expect(inference.stored).toHaveLength(100);
    expect(await store.count()).toMatchObject({ sessions: 1, chunks: 100, vectors: 100 });
    const sizes = double.requests
      .filter(({ path, method }) => method === 'PUT' && path.includes('/points?'))
      .map(({ body }) => (fieldsOf(body).points as unknown[]).length);
    expect(sizes).toEqual([64, 36]);
  });

  it('embeds the query within the single request of a search', async () => {
    const { double, store, inference } = await withInference();
    await store.write([changeOf(CAR), changeOf(TREE)]);
    const from = double.requests.length;
    const found = await store.find(asking('automobile'));
    expect(
      double.requests
        .slice(from)
        .map(({ path }) => path.replace(/.*claude_sessions/, ''))
        .sort(),
    ).toEqual(['/facet', '/facet', '/points/query/batch']);
    expect(inference.searched).toEqual(['automobile']);
    expect(found.vectorRefused).toBeUndefined();
    expect(found.lists.chunksByWords).toEqual([]);
    expect(found.lists.chunksByVector?.[0]).toMatchObject({ point_id: pointId('car', 'chunk', 0) });
    const scored = await scoreChunks(store, ['car', 'tree'], { text: 'automobile' });
    expect(scored[0]).toMatchObject({ point_id: pointId('car', 'chunk', 0) });
  });

  it('embeds texts without vectors later: newest first, up to a limit, each once', async () => {
    const { store, inference, another } = await withInference();
    const plain = another({ model: MODEL });
    const older: Sample = { ...TREE, record: { ended_at: '2026-04-01T00:00:00.000Z' } };
    await plain.write([changeOf(CAR), changeOf(older)]);
    expect(inference.stored).toEqual([]);
    expect(await store.embedding?.embedPending(2)).toEqual({ embedded: 2, refused: null });
    expect(inference.stored).toEqual(['fix it', 'plant a tree']);
    expect(await store.embedding?.embedPending(100)).toEqual({ embedded: 3, refused: null });
    expect(inference.stored).toEqual([
      'fix it',
      'plant a tree',
      'the car has a new piston',
      'oil in the sump',
      'an oak and an ash',
    ]);
    expect(await countWaiting(store)).toEqual({ intents: 0, chunks: 0 });
    expect((await store.info()).model).toEqual(MODEL);
  });

  it('does not embed texts that are about to receive vectors', async () => {
    const { store, inference } = await withInference();
    await store.write([{ ...changeOf(CAR), vectorsFollow: true }]);
    expect(inference.stored).toEqual([]);
    expect(await countWaiting(store)).toEqual({ intents: 1, chunks: 2 });
  });

  it.each([
    ['has no such service', undefined, 'the server has no embedding service', 1],
    [
      'has used up its quota',
      REFUSALS.quota,
      `${CLOUD_MODEL}: Inference can't process request (402 Payment Required): quota exceeded`,
      1,
    ],
    [
      'knows vectors only',
      REFUSALS.vectorsOnly,
      `the server does not embed with ${CLOUD_MODEL}: it does not accept texts in place of vectors`,
      1,
    ],
    ['may not use the service', REFUSALS.unknownCluster, 'Authentication failed', 1],
    ['has a service that fails', REFUSALS.failing, '503 Service Unavailable', 6],
  ])('keeps the texts if the server %s, reports it, and stops asking', async (_, refuse, reason, tries) => {
    const { double, store, inference, refusals } = await withInference();
    if (refuse === undefined) delete double.options.inference;
    else inference.refuse = refuse;
    const before = () =>
      double.requests.filter(({ body }) => JSON.stringify(body).includes('"text":')).length;
    const written = await store.write([changeOf(CAR)]);
    expect(written).toMatchObject({
      conflicts: [],
      vectorsRefused: {
        message: expect.stringContaining(reason),
        hint: 'Qdrant Cloud clusters have an embedding service; self-hosted servers do not. Without it: smart-fork config set embedding.provider local',
      },
    });
    expect(before()).toBe(tries);
    expect(await store.count()).toMatchObject({ sessions: 1, chunks: 2, intents: 1, vectors: 0 });
    expect(await store.write([changeOf(TREE)])).toEqual({ conflicts: [] });
    expect(await store.embedding?.embedPending(100)).toEqual({ embedded: 0, refused: null });
    const found = await store.find({ ...asking('car piston'), also: [asking('car')] });
    expect(found).toMatchObject({
      lists: { chunksByVector: null, intentsByVector: null, chunksByWords: [{ session_id: 'car' }] },
      also: [{ chunksByVector: null, chunksByWords: [{ session_id: 'car' }] }],
      vectorRefused: { message: expect.stringContaining(reason) },
    });
    expect(before()).toBe(tries);
    expect(refusals.noted).toHaveLength(1);

    double.options.inference = inference;
    inference.refuse = undefined;
    refusals.forget();
    expect(await store.embedding?.embedPending(100)).toEqual({ embedded: 5, refused: null });
    expect(inference.stored).toHaveLength(5);
    expect((await store.find(asking('automobile')))?.lists.chunksByVector?.[0]?.session_id).toBe('car');
  });

  it.each([
    ['https://abc.eu-central-1-0.aws.cloud.qdrant.io:6333', 'See the cluster’s Inference tab.'],
    ['http://127.0.0.1:6333', 'Qdrant Cloud clusters have an embedding service; self-hosted servers do not.'],
  ])('suggests a fix for a refusal by %s', async (address, hint) => {
    const refused = new SmartForkError('STORE_UNAVAILABLE', 'refused', {
      cause: new QdrantAnswerError(400, 'Bad request: Inference request validation failed: no', null),
    });
    const documents = { model: MODEL, refusals: refusalsInMemory(), address };
    const { refusal } = await withDocuments(documents, async (some) => {
      if (some !== null) throw refused;
    });
    expect(refusal).toEqual({
      message: `the server does not embed with ${CLOUD_MODEL}: Inference request validation failed: no`,
      hint: `${hint} Without it: smart-fork config set embedding.provider local`,
    });
  });

  it('falls back to keyword search, with one more request, if the service refuses the query', async () => {
    const { double, store, inference, refusals } = await withInference();
    await store.write([changeOf(CAR)]);
    inference.refuse = REFUSALS.quota;
    const from = double.requests.length;
    const batches = () => double.requests.slice(from).filter(({ path }) => path.endsWith('/query/batch'));
    const found = await store.find(asking('piston'));
    expect(batches()).toHaveLength(2);
    expect(found.lists.chunksByWords).toMatchObject([{ session_id: 'car' }]);
    expect(found.vectorRefused).toEqual(refusals.current());
    await store.find(asking('piston'));
    expect(batches()).toHaveLength(3);
  });

  it('reports how long the embedding service asks to wait', async () => {
    const busy = {
      answer: 429,
      headers: { 'retry-after': '120' },
      error: 'Too many requests for inference service',
    };
    const { store, refusals } = await withInference({
      fault: nth(0, busy, ({ path }) => path.includes('/points/batch')),
    });
    await expect(store.write([changeOf(CAR)])).rejects.toMatchObject({
      code: 'STORE_UNAVAILABLE',
      retryAfterMs: 120_000,
    });
    expect(refusals.noted).toEqual([]);
    expect(await store.count()).toMatchObject({ sessions: 0, chunks: 0 });
  });

  it('does not embed for a collection filled by another model', async () => {
    const { double, store, inference, another } = await withInference();
    const local = another({ model: { id: 'sentence-transformers/all-MiniLM-L6-v2', dimensions: 384 } });
    await local.write([changeOf(TREE)]);
    const [waiting] = await local.pointsWithoutVector(1);
    const item = { id: waiting?.id ?? '', contentHash: waiting?.payload.content_hash ?? '' };
    await local.setVectors({ id: 'sentence-transformers/all-MiniLM-L6-v2', dimensions: 384 }, [
      {
        ...item,
        vector: new Float32Array(384).fill(1),
      },
    ]);
    const written = await store.write([changeOf(CAR)]);
    expect(written).toMatchObject({
      conflicts: [],
      vectorsRefused: { message: expect.stringContaining('was filled by sentence-transformers/all-MiniLM') },
    });
    expect(await store.embedding?.embedPending(10)).toMatchObject({
      embedded: 0,
      refused: { message: expect.stringContaining('was filled by') },
    });
    expect(inference.stored).toEqual([]);
    expect(await store.count()).toMatchObject({ sessions: 2, vectors: 1 });
    const record = double.collections.get('claude_sessions')?.retrieve({ ids: [RECORD_ID] })[0];
    expect(fieldsOf(record?.payload).model).toMatchObject({ id: 'sentence-transformers/all-MiniLM-L6-v2' });
  });

  it('does not embed for a collection of different dimensions', async () => {
    const { store, inference, another } = await withInference();
    await another({ model: { id: 'nomic', dimensions: 768 } }).write([changeOf(TREE)]);
    expect(await store.write([changeOf(CAR)])).toMatchObject({
      conflicts: [],
      vectorsRefused: { message: expect.stringContaining('768 dimensions') },
    });
    expect(inference.stored).toEqual([]);
    expect(await store.find(asking('piston'))).toMatchObject({
      lists: { chunksByVector: null, chunksByWords: [{ session_id: 'car' }] },
      vectorRefused: { message: expect.stringContaining('another model’s vectors') },
    });
  });
});
