import { createRequire } from 'node:module';
import { join } from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readModelRecord } from '../../../src/adapters/onnx/model-files.ts';
import { createOnnxEmbedder } from '../../../src/adapters/onnx/onnx-embedder.ts';
import { loadTokenizer } from '../../../src/adapters/onnx/tokenize.ts';
import type { Embedder } from '../../../src/ports/embedder.ts';
import { findRealModel } from '../../support/models/real-model.ts';
import { cosine, length } from '../../support/models/vectors.ts';

const directory = findRealModel();

const title = directory
  ? 'all-MiniLM-L6-v2'
  : 'all-MiniLM-L6-v2 (skipped: set SMART_FORK_TEST_MODEL to its folder)';

describe.skipIf(directory === undefined)(title, () => {
  const folder = directory ?? '';
  let embedder: Embedder;

  beforeAll(async () => {
    embedder = createOnnxEmbedder({
      record: await readModelRecord(folder),
      directory: folder,
      runtime: createRequire(import.meta.url).resolve('onnxruntime-node'),
      threads: () => 1,
      idleMs: 60_000,
    });
  });

  afterAll(() => embedder.close());

  it('recognizes the real model by its folder name', () => {
    expect(embedder.model).toMatchObject({
      id: 'sentence-transformers/all-MiniLM-L6-v2',
      dimensions: 384,
      maxTokens: 512,
    });
  });

  it('finds a paraphrase closer than another topic', async () => {
    const [asked, again, other] = await embedder.embedDocuments([
      'The login request times out after thirty seconds',
      'Signing in hangs and then fails with a timeout',
      'Rename the column in the invoices table',
    ]);
    expect(cosine(asked, again)).toBeGreaterThan(cosine(asked, other) + 0.3);
  });

  it('tokenizes like BERT', async () => {
    const tokenize = await loadTokenizer(folder, 512);
    expect(tokenize('hello world', '')).toEqual([101, 7592, 2088, 102]);
    expect(tokenize('the '.repeat(1000), '')).toHaveLength(512);
    expect(tokenize('the '.repeat(1000), '').at(-1)).toBe(102);
  });

  it('returns the normalized mean of the token vectors', async () => {
    const text = 'Fix the flaky test in src/parser.ts';
    const mean = await meanOfTokens(folder, (await loadTokenizer(folder, 512))(text, ''));
    const norm = Math.sqrt(mean.reduce((sum, value) => sum + value * value, 0));
    const vector = await embedder.embedQuery(text);
    expect(length(vector)).toBeCloseTo(1, 5);
    for (const [at, value] of mean.entries()) expect(vector[at]).toBeCloseTo(value / norm, 5);
  });

  it('returns the same vector alone and in a batch', async () => {
    const texts = [
      'short',
      'a somewhat longer text about nothing at all, for its length alone',
      'const x = 1;',
    ];
    const together = await embedder.embedDocuments(texts);
    for (const [at, text] of texts.entries()) {
      expect(cosine(together[at], await embedder.embedQuery(text))).toBeGreaterThan(1 - 1e-5);
    }
  });
});

/** Textbook mean pooling, column by column; uses only the adapter's token ids. */
async function meanOfTokens(folder: string, ids: number[]): Promise<number[]> {
  const session = await InferenceSession.create(join(folder, 'model_quantized.onnx'));
  const tensor = (values: number[]) => new Tensor('int64', values.map(BigInt), [1, ids.length]);
  const { last_hidden_state: hidden } = await session.run({
    input_ids: tensor(ids),
    attention_mask: tensor(ids.map(() => 1)),
    token_type_ids: tensor(ids.map(() => 0)),
  });
  await session.release();
  if (!(hidden?.data instanceof Float32Array)) throw new Error('no token vectors');
  const { data } = hidden;
  const columns = Array.from({ length: 384 }, (_, column) =>
    ids.map((_, row) => data[row * 384 + column] ?? 0),
  );
  return columns.map((column) => column.reduce((sum, value) => sum + value, 0) / ids.length);
}
