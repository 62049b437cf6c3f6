import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { locateReranker } from '../../../../src/adapters/onnx/rerank/locate-reranker.ts';
import { createOnnxReranker } from '../../../../src/adapters/onnx/rerank/onnx-reranker.ts';
import { tempFolder } from '../../../support/files/temp-folder.ts';
import { writeTinyModel } from '../../../support/models/tiny-model.ts';
import { writeTinyReranker } from '../../../support/models/tiny-reranker.ts';

const runtime = createRequire(import.meta.url).resolve('onnxruntime-node');
const ALWAYS = new AbortController().signal;

function open(name: string, cacheDir = tempFolder('hub')) {
  const reranker = createOnnxReranker({
    name,
    idleMs: 60_000,
    locate: () => locateReranker(name, cacheDir),
    runtime: () => runtime,
    threads: async () => 1,
  });
  onTestFinished(() => reranker.close());
  return reranker;
}

it('scores each text with the query, with a token type for each of the two', async () => {
  const reranker = open(await writeTinyReranker(tempFolder('reranker'), ['deploy', 'retry']));
  expect(await reranker.state()).toMatchObject({ state: 'ready' });
  const texts = ['a cache', 'deploy, then retry the deploy', '', 'retry'];
  expect(await reranker.score('why', texts, ALWAYS)).toEqual([0, 3, 0, 1]);
  expect(await reranker.score('deploy', texts, ALWAYS)).toEqual([-1, 2, -1, 0]);
});

it('truncates the text of a long pair, but keeps room for it next to a long query', async () => {
  const reranker = open(await writeTinyReranker(tempFolder('reranker'), ['deploy']));
  const long = 'deploy '.repeat(1000);
  // 128 tokens: three special tokens, and at most 62 for the query.
  expect(await reranker.score('cache', [long], ALWAYS)).toEqual([124]);
  expect(await reranker.score('cache '.repeat(1000), [long], ALWAYS)).toEqual([63]);
});

it('stops reranking between two texts when the signal is aborted', async () => {
  const reranker = open(await writeTinyReranker(tempFolder('reranker'), ['deploy']));
  const control = new AbortController();
  control.abort(new Error('enough'));
  await expect(reranker.score('why', ['deploy'], control.signal)).rejects.toThrow('enough');
});

it('finds a reranker by name in the hub’s cache', async () => {
  const hub = tempFolder('hub');
  const folder = join(hub, 'models--cross-encoder--ettin-reranker-17m-v1', 'snapshots', 'abc');
  const reranker = open('ettin-reranker-17m', hub);
  expect(await reranker.state()).toMatchObject({
    state: 'absent',
    reason: expect.stringMatching(/^model\.onnx in .*ettin-reranker-17m-v1.* does not exist$/),
  });
  await writeTinyReranker(folder, ['deploy']);
  expect(await reranker.state()).toEqual({ state: 'ready', directory: folder });
  expect(await reranker.score('why', ['deploy'], ALWAYS)).toEqual([1]);
});

it('reports a folder without the model, and a model that is not a reranker', async () => {
  const empty = tempFolder('empty');
  await expect(open(empty).score('why', ['x'], ALWAYS)).rejects.toMatchObject({
    code: 'MODEL_UNAVAILABLE',
    message: `cannot run the reranker ${empty}: model.onnx in ${empty} does not exist`,
  });
  const embedder = await writeTinyModel(tempFolder('embedder'));
  await expect(open(embedder).score('why', ['x'], ALWAYS)).rejects.toMatchObject({
    message: expect.stringContaining('expected one score'),
  });
});
