import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inspectModel, locateModel, readModelRecord } from '../../../src/adapters/onnx/model-files.ts';
import { fullModelId, knownModel, servicePrefixes } from '../../../src/domain/model/known-models.ts';
import { resolveModelRecord } from '../../../src/domain/model/models.ts';
import { recognizeModel } from '../../../src/domain/model/recognize-model.ts';
import { writeTinyModel } from '../../support/models/tiny-model.ts';

const NOMIC = 'nomic-ai/nomic-embed-text-v1.5';

describe('recognizeModel', () => {
  const folder = {
    directory: '/models/mine',
    files: ['config.json', 'tokenizer.json', 'model.onnx'],
    id: NOMIC,
  };

  it.each([
    { n_embd: 768 },
    { hidden_size: 768, n_embd: 5 },
    { hidden_size: null, n_embd: 768, n_positions: 'x' },
  ])('gives a built-in model the same record as the full check: %j', (config) => {
    const record = recognizeModel({ ...folder, config });
    expect(record).not.toBeNull();
    expect(record).toEqual(resolveModelRecord({ ...folder, config }));
  });

  it.each([
    [{ id: 'acme/tiny' }],
    [{ id: undefined }],
    [{ own: { queryPrefix: 'ask: ' } }],
    [{ config: { n_embd: 384 } }],
    [{ config: {} }],
    [{ config: 'text' }],
    [{ config: undefined }],
    [{ files: ['config.json'] }],
  ])('leaves a modified built-in model to the full check: %j', (changes) => {
    expect(recognizeModel({ ...folder, config: { n_embd: 768 }, ...changes })).toBeNull();
  });
});

describe('resolveModelRecord', () => {
  const folder = { directory: '/models/mine', files: ['config.json', 'tokenizer.json', 'model.onnx'] };

  it('uses the record of a known model with the graph found in the folder', () => {
    const record = resolveModelRecord({ ...folder, id: NOMIC, config: { n_embd: 768 } });
    expect(record).toEqual({ ...knownModel(NOMIC), file: 'model.onnx' });
  });

  it.each([
    ['multilingual-e5-small', 'query: ', 'passage: ', 'mean'],
    ['bge-small-en-v1.5', 'Represent this sentence for searching relevant passages: ', '', 'cls'],
    ['nomic-embed-text-v1.5', 'search_query: ', 'search_document: ', 'mean'],
  ])('recognizes %s by name, with its prefixes', (name, queryPrefix, documentPrefix, pooling) => {
    expect(knownModel(fullModelId(name))).toMatchObject({ queryPrefix, documentPrefix, pooling });
    expect(servicePrefixes(`somebody/${name.toUpperCase()}`)).toMatchObject({ queryPrefix, documentPrefix });
    expect(fullModelId(`somebody/${name}`)).toBe(`somebody/${name}`);
  });

  it('reads an unknown model from its configuration', () => {
    const config = { hidden_size: 384, max_position_embeddings: 512, model_type: 'bert' };
    expect(resolveModelRecord({ ...folder, config })).toEqual({
      id: 'local/mine',
      file: 'model.onnx',
      dimensions: 384,
      maxTokens: 512,
      documentPrefix: '',
      queryPrefix: '',
      pooling: 'mean',
      chunk: { min: 167, target: 250, max: 333, overlap: 50 },
    });
  });

  it('does not count the positions that RoBERTa leaves unused', () => {
    const config = { hidden_size: 384, max_position_embeddings: 514, model_type: 'xlm-roberta' };
    expect(resolveModelRecord({ ...folder, config }).maxTokens).toBe(512);
  });

  it("follows sentence-transformers' files about pooling and prompts", () => {
    const record = resolveModelRecord({
      ...folder,
      config: { hidden_size: 8 },
      pooling: { pooling_mode_cls_token: true },
      prompts: { prompts: { query: 'query: ', document: 'passage: ' } },
    });
    expect(record).toMatchObject({ pooling: 'cls', queryPrefix: 'query: ', documentPrefix: 'passage: ' });
  });

  it('treats a fine-tuned model like its known parent, under its own name', () => {
    const record = resolveModelRecord({
      ...folder,
      config: { n_embd: 768, n_positions: 8192, _name_or_path: NOMIC },
    });
    expect(record).toMatchObject({ id: 'local/mine', queryPrefix: 'search_query: ', maxTokens: 2048 });
  });

  it('lets smart-fork.json override everything else', () => {
    const own = { id: 'me/mine', file: 'other.onnx', queryPrefix: 'q: ', maxTokens: 128 };
    expect(resolveModelRecord({ ...folder, config: { hidden_size: 8 }, own })).toMatchObject({
      ...own,
      dimensions: 8,
    });
  });

  it('reads a model without config.json from a sufficient smart-fork.json', () => {
    const own = { dimensions: 8, maxTokens: 128, pooling: 'cls' };
    expect(resolveModelRecord({ ...folder, config: undefined, own })).toMatchObject({
      ...own,
      id: 'local/mine',
      file: 'model.onnx',
      chunk: { max: 83 },
    });
  });

  it.each([
    [
      'no configuration',
      { ...folder, config: undefined },
      /neither hidden_size in config\.json nor dimensions/,
    ],
    [
      'a record of the wrong types',
      {
        ...folder,
        config: {},
        own: { dimensions: 'x', maxTokens: 0, pooling: 'max', chunk: [], queryPrefix: 1.5 },
      },
      /smart-fork\.json: dimensions: expected a number, found "x"; maxTokens: expected a number above 0, found 0; queryPrefix: expected text, found 1\.5; pooling: expected mean or cls, found "max"; chunk: expected an object, found \[\]/,
    ],
    [
      'a list instead of a configuration',
      { ...folder, config: [] },
      /config\.json: expected an object, found \[\]/,
    ],
    ['no size', { ...folder, config: { model_type: 'bert' } }, /hidden_size/],
    ['no graph', { ...folder, files: ['config.json'], config: { hidden_size: 8 } }, /no \.onnx file/],
    [
      'a record with a typo',
      { ...folder, config: { hidden_size: 8 }, own: { poling: 'cls' } },
      /smart-fork\.json.*poling/s,
    ],
    [
      'the name of another model',
      { ...folder, id: NOMIC, config: { hidden_size: 384 } },
      /384 dimensions.*not nomic-ai/,
    ],
  ])('rejects a model folder with %s', (_, given, message) => {
    expect(() => resolveModelRecord(given)).toThrow(message);
  });
});

describe('a model folder', () => {
  let root: string;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'smart-fork-model-'));
  });

  afterEach(() => rm(root, { recursive: true }));

  it("reads a model's name from the hub's cache or the folder's name", async () => {
    const cached = join(root, 'models--acme--tiny', 'snapshots', 'abc');
    expect((await readModelRecord(await writeTinyModel(cached))).id).toBe('acme/tiny');
    const named = await writeTinyModel(join(root, 'all-MiniLM-L6-v2'), { dimensions: 384 });
    expect((await readModelRecord(named)).id).toBe('sentence-transformers/all-MiniLM-L6-v2');
    const e5 = await writeTinyModel(join(root, 'multilingual-e5-small'), { dimensions: 384 });
    expect(await readModelRecord(e5)).toMatchObject({ queryPrefix: 'query: ', documentPrefix: 'passage: ' });
  });

  it('locates a model by its setting, and returns a state instead of an error', async () => {
    const cacheDir = join(root, 'hub');
    expect(await locateModel({ cacheDir })).toMatchObject({
      state: { state: 'absent' },
      record: { id: NOMIC },
    });
    expect(await locateModel({ directory: join(root, 'none'), cacheDir })).toMatchObject({
      state: { state: 'absent', reason: expect.stringContaining('none') },
      record: undefined,
    });
    const directory = await writeTinyModel(join(root, 'mine'), { file: 'model.onnx' });
    expect(await locateModel({ directory, cacheDir })).toMatchObject({
      state: { state: 'ready', directory },
      record: { id: 'local/mine', file: 'model.onnx' },
    });
    await writeFile(join(directory, 'config.json'), '{');
    expect(await locateModel({ directory, cacheDir })).toMatchObject({ state: { state: 'broken' } });
  });

  it('prefers a complete snapshot to the one that main points to', async () => {
    const repo = join(root, 'models--acme--tiny');
    const directory = await writeTinyModel(join(repo, 'snapshots', 'old'));
    await mkdir(join(repo, 'snapshots', 'new'));
    await mkdir(join(repo, 'refs'));
    await writeFile(join(repo, 'refs', 'main'), 'new');
    expect((await locateModel({ id: 'acme/tiny', cacheDir: root })).state).toEqual({
      state: 'ready',
      directory,
    });
  });

  it.each([
    ['', 'is empty'],
    ['<html>', 'is not JSON'],
    ['version https://git-lfs.github.com/spec/v1', 'Git LFS pointer'],
  ])('reports a model as broken with a tokenizer of %j', async (content, reason) => {
    const directory = await writeTinyModel(root);
    const record = await readModelRecord(directory);
    await writeFile(join(directory, 'tokenizer.json'), content);
    expect(await inspectModel(record, directory)).toMatchObject({
      state: 'broken',
      reason: expect.stringContaining(reason),
    });
  });
});
