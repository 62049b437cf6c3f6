import { mkdtemp, rm, truncate, unlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readModelRecord } from '../../../src/adapters/onnx/model-files.ts';
import { createOnnxEmbedder } from '../../../src/adapters/onnx/onnx-embedder.ts';
import type { ModelRecord } from '../../../src/domain/model/model-record.ts';
import type { Embedder } from '../../../src/ports/embedder.ts';
import { type TinyModelOptions, writeTinyModel } from '../../support/models/tiny-model.ts';
import { cosine, length } from '../../support/models/vectors.ts';

const runtime = createRequire(import.meta.url).resolve('onnxruntime-node');

let directory: string;
const opened: Embedder[] = [];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'smart-fork-onnx-'));
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((embedder) => embedder.close()));
  await rm(directory, { recursive: true });
});

async function openTiny(
  options: TinyModelOptions = {},
  changes: Partial<ModelRecord> = {},
): Promise<Embedder> {
  await writeTinyModel(directory, options);
  return open({ ...(await readModelRecord(directory)), ...changes });
}

function open(record: ModelRecord, idleMs = 60_000): Embedder {
  const embedder = createOnnxEmbedder({ record, directory, runtime, threads: () => 1, idleMs });
  opened.push(embedder);
  return embedder;
}

describe('vectors', () => {
  const texts = [
    'fix the login bug',
    'migrate the database schema and update all of the code',
    'git',
    'zebra',
  ];

  it('returns vectors of length 1 in the order of the texts, identical in a batch and alone', async () => {
    const embedder = await openTiny();
    const together = await embedder.embedDocuments(texts);
    const alone = await Promise.all(texts.map((text) => embedder.embedQuery(text)));
    for (const [at, vector] of together.entries()) {
      expect(vector).toHaveLength(16);
      expect(length(vector)).toBeCloseTo(1, 5);
      expect(cosine(vector, alone[at])).toBeGreaterThan(1 - 1e-5);
    }
    expect(cosine(together[0], together[1])).toBeLessThan(0.99);
  });

  it('embeds texts that share words closer together', async () => {
    const embedder = await openTiny();
    const [login, again, other] = await embedder.embedDocuments([
      'fix the login bug',
      'login bug fix',
      'search vector index slow',
    ]);
    expect(cosine(login, again)).toBeGreaterThan(cosine(login, other));
  });

  it('runs graphs with and without token types', async () => {
    const plain = await (await openTiny()).embedQuery('git commit');
    const typed = await (await openTiny({ tokenTypes: true })).embedQuery('git commit');
    expect(cosine(plain, typed)).toBeGreaterThan(1 - 1e-5);
  });

  it('pools by the first token if the record says cls', async () => {
    const embedder = await openTiny({}, { pooling: 'cls' });
    const [one, other] = await embedder.embedDocuments(['git commit', 'search index']);
    expect(cosine(one, other)).toBeCloseTo(1, 5);
  });

  it('prefixes queries and passages', async () => {
    const embedder = await openTiny({}, { documentPrefix: 'document ', queryPrefix: 'query ' });
    const [document] = await embedder.embedDocuments(['git']);
    const plain = open({ ...embedder.model, documentPrefix: '', queryPrefix: '' });
    expect(cosine(document, await plain.embedQuery('document git'))).toBeGreaterThan(1 - 1e-5);
    expect(cosine(await embedder.embedQuery('git'), await plain.embedQuery('query git'))).toBeGreaterThan(
      1 - 1e-5,
    );
  });

  it('truncates a text to the longest input', async () => {
    const embedder = await openTiny({}, { maxTokens: 6 });
    const [cut, long] = await embedder.embedDocuments([
      'fix the login bug',
      'fix the login bug git git git git',
    ]);
    expect(cosine(cut, long)).toBeGreaterThan(1 - 1e-5);
  });

  it('returns no vectors for an empty list of texts', async () => {
    expect(await (await openTiny()).embedDocuments([])).toEqual([]);
  });
});

describe('text without meaning', () => {
  it.each([
    ['an empty text', ''],
    ['white space', ' \n\t '],
    ['NUL', '\0\0'],
    ['a lone surrogate', 'git \ud83d commit \udc00'],
    ['special tokens', '[CLS] [SEP] [PAD] [MASK]'],
    ['other scripts', '検索 поиск 🦊🦊 é'],
    ['two million letters', 'x'.repeat(2_000_000)],
    ['two million words', 'x '.repeat(1_000_000)],
    ['two million spaces', `${' '.repeat(2_000_000)}git`],
    ['two million emoji', '🦊'.repeat(1_000_000)],
  ])('embeds %s as a unit vector, and quickly', async (_, text) => {
    const embedder = await openTiny();
    await embedder.embedQuery('warm');
    const start = performance.now();
    const vector = await embedder.embedQuery(text);
    expect(performance.now() - start).toBeLessThan(10_000);
    expect(length(vector)).toBeCloseTo(1, 5);
  });
});

describe('an embedding model that cannot run', () => {
  const refusal = (pattern: RegExp) =>
    expect.objectContaining({
      code: 'MODEL_UNAVAILABLE',
      message: expect.stringMatching(pattern),
      hint: expect.stringContaining('smart-fork model pull'),
    });

  it('reports a model without a graph', async () => {
    const embedder = await openTiny();
    await unlink(join(directory, embedder.model.file));
    await expect(embedder.embedQuery('git')).rejects.toEqual(
      refusal(/absent: .*model_quantized\.onnx .*does not exist/),
    );
  });

  it('reports a model without a tokenizer', async () => {
    const embedder = await openTiny();
    await unlink(join(directory, 'tokenizer.json'));
    await expect(embedder.embedDocuments(['git'])).rejects.toEqual(refusal(/tokenizer\.json/));
  });

  it('reports a truncated graph', async () => {
    const embedder = await openTiny();
    await truncate(join(directory, embedder.model.file), 300);
    await expect(embedder.embedQuery('git')).rejects.toEqual(refusal(/cannot run the model/));
  });

  it('reports a graph that is a Git LFS pointer', async () => {
    const embedder = await openTiny();
    await writeFile(join(directory, embedder.model.file), 'version https://git-lfs.github.com/spec/v1\n');
    await expect(embedder.embedQuery('git')).rejects.toEqual(refusal(/Git LFS pointer/));
  });

  it('reports vectors whose dimensions differ from the record', async () => {
    const embedder = await openTiny({}, { dimensions: 384 });
    await expect(embedder.embedQuery('git')).rejects.toEqual(refusal(/expected float32 \[1,3,384\]/));
  });

  it('runs a model after it has been repaired', async () => {
    const embedder = await openTiny();
    await unlink(join(directory, 'tokenizer.json'));
    await expect(embedder.embedQuery('git')).rejects.toThrow();
    await writeTinyModel(directory);
    expect(await embedder.embedQuery('git')).toHaveLength(16);
  });
});

describe('the lifetime of an embedder', () => {
  it('reopens an embedder after close, which may be called at any time', async () => {
    const embedder = await openTiny();
    await embedder.close();
    const running = embedder.embedDocuments(['git', 'commit']);
    await embedder.close();
    expect(await running).toHaveLength(2);
    expect(await embedder.embedQuery('git')).toHaveLength(16);
    await Promise.all([embedder.close(), embedder.close()]);
  });

  it('reopens an embedder after it was idle', async () => {
    const { model } = await openTiny();
    const embedder = open(model, 1);
    const first = await embedder.embedQuery('git');
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await embedder.embedQuery('git')).toEqual(first);
  });

  it('serves overlapping embedding calls', async () => {
    const embedder = await openTiny();
    const texts = ['git', 'commit', 'search'];
    const [all, ...each] = await Promise.all([
      embedder.embedDocuments(texts),
      ...texts.map((text) => embedder.embedQuery(text)),
    ]);
    expect(each).toEqual(all);
  });

  it('stops embedding between texts when aborted', async () => {
    const embedder = await openTiny();
    await embedder.embedQuery('warm');
    const controller = new AbortController();
    const running = embedder.embedDocuments(
      Array.from({ length: 100_000 }, () => 'git'),
      controller.signal,
    );
    setTimeout(() => controller.abort(), 20);
    await expect(running).rejects.toMatchObject({ name: 'AbortError' });
    expect(await embedder.embedQuery('git')).toHaveLength(16);
  });

  it('starts no embedding if already aborted', async () => {
    const embedder = await openTiny();
    await expect(embedder.embedDocuments(['git'], AbortSignal.abort())).rejects.toMatchObject({
      name: 'AbortError',
    });
  });
});
