import { afterEach, describe, expect, it } from 'vitest';
import { createQdrantReranker } from '../../../../src/adapters/qdrant/rerank/qdrant-reranker.ts';
import { LATE_INTERACTION } from '../../../../src/domain/model/known-rerankers.ts';
import type { Reranker } from '../../../../src/ports/rerank/reranker.ts';
import { fieldsOf } from '../../../support/qdrant/double/answer.ts';
import { inferenceService, REFUSALS } from '../../../support/qdrant/double/inference.ts';
import type { DoubleOptions, QdrantDouble } from '../../../support/qdrant/double/server.ts';
import { startCheckedDouble } from '../../../support/qdrant/qdrant-place.ts';

const QUERY = 'mend the car';
const TEXTS = ['An oak and an ash.', 'We repaired the vehicle.', 'The car park is full.'];
const NEVER = new AbortController().signal;

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

async function setUp(options: DoubleOptions = {}) {
  const inference = inferenceService({ [LATE_INTERACTION.id]: LATE_INTERACTION.dimensions });
  const double = await startCheckedDouble({ inference, ...options });
  open.push(double);
  const start = (now?: () => number): Reranker => {
    const place = { url: double.url, apiKey: null, collection: 'sessions' };
    const reranker = createQdrantReranker({ ...place, model: LATE_INTERACTION, ...(now && { now }) });
    open.push(reranker);
    return reranker;
  };
  return { double, start };
}

function pointsIn(double: QdrantDouble): unknown {
  return double.collections.get('sessions_reranking')?.info().points_count;
}

describe('late interaction on a Qdrant server', () => {
  it('scores passages by the similarity of their words to each word of the query, in order', async () => {
    const { start } = await setUp();
    const scores = await start().score(QUERY, TEXTS, NEVER);
    expect(scores).toHaveLength(3);
    const [tree = 0, repaired = 0, park = 0] = scores;
    expect(repaired).toBeGreaterThan(park);
    expect(park).toBeGreaterThan(tree);
    // `mend`, `the` and `car` all occur, directly or as a synonym.
    expect(repaired).toBeCloseTo(3, 3);
  });

  it('creates the rerank collection once for two simultaneous searches, and leaves no passage behind', async () => {
    const { double, start } = await setUp();
    const [one, other] = [start(), start()];
    const both = await Promise.all([one.score(QUERY, TEXTS, NEVER), other.score(QUERY, TEXTS, NEVER)]);
    expect(both[0]).toEqual(both[1]);
    await one.score(QUERY, TEXTS, NEVER);
    await one.close();
    await other.close();
    expect(pointsIn(double)).toBe(0);
    const texts = double.requests.filter(({ body }) =>
      JSON.stringify(fieldsOf(body).points ?? '').includes('payload'),
    );
    for (const { body } of texts) expect(JSON.stringify(body)).not.toMatch(/"payload":\{[^}]*(oak|car)/);
  });

  it('removes passages left by a killed process, but no newer ones', async () => {
    const { double, start } = await setUp();
    await start().score(QUERY, TEXTS, NEVER);
    const collection = double.collections.get('sessions_reranking');
    const vector = { words: [Array.from({ length: 96 }, () => 1)] };
    const left = (at: number) => [{ id: crypto.randomUUID(), payload: { at }, vector }];
    collection?.upsert({ points: left(Date.now() - 61_000) });
    collection?.upsert({ points: left(Date.now() - 1000) });
    const reranker = start();
    await reranker.score(QUERY, TEXTS, NEVER);
    await reranker.close();
    expect(pointsIn(double)).toBe(1);
  });

  it.each([
    ['it has no embedding service', { inference: undefined }, 'the server has no embedding service'],
    [
      'it lacks the model',
      { inference: inferenceService({}) },
      /^the server does not run answerdotai\/.*: .*no model/,
    ],
    [
      'the quota is used up',
      { inference: { ...inferenceService({ [LATE_INTERACTION.id]: 96 }), refuse: REFUSALS.quota } },
      /^the server does not run answerdotai\/.*quota exceeded$/,
    ],
  ])('says why the server cannot rerank: %s', async (_, options, message) => {
    const { double, start } = await setUp(options as DoubleOptions);
    const reranker = start();
    await expect(reranker.score(QUERY, TEXTS, NEVER)).rejects.toThrow(message);
    await reranker.close();
    expect(pointsIn(double)).toBe(0);
  });

  it('names a server that cannot be reached for reranking', async () => {
    const { double, start } = await setUp();
    await double.close();
    await expect(start().score(QUERY, TEXTS, NEVER)).rejects.toThrow(/^cannot reach Qdrant at/);
  });
});
