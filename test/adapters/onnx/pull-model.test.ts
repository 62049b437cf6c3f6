import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { locateModel } from '../../../src/adapters/onnx/model-files.ts';
import { createOnnxEmbedder } from '../../../src/adapters/onnx/onnx-embedder.ts';
import { type PullOptions, type PullProgress, pullModel } from '../../../src/adapters/onnx/pull-model.ts';
import { removeModel } from '../../../src/adapters/onnx/remove-model.ts';
import { HUB_COMMIT, type HubDouble, startHubDouble } from '../../support/models/hub-double.ts';
import { writeTinyModel } from '../../support/models/tiny-model.ts';

const runtime = createRequire(import.meta.url).resolve('onnxruntime-node');

const ID = 'acme/tiny';
const GRAPH = 'onnx/model_quantized.onnx';

let root: string;
let cacheDir: string;
let files: Record<string, Buffer>;
let hub: HubDouble;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'smart-fork-pull-'));
  cacheDir = join(root, 'hub');
  const model = await writeTinyModel(join(root, 'origin'));
  files = {};
  for (const path of ['config.json', 'tokenizer.json', GRAPH])
    files[path] = await readFile(join(model, path));
  hub = await startHubDouble(ID, { ...files, 'model.safetensors': Buffer.alloc(5000) });
});

afterEach(async () => {
  await hub.close();
  await rm(root, { recursive: true });
});

function pull(changes: Partial<PullOptions> = {}): Promise<string> {
  return pullModel({ id: ID, cacheDir, hubUrl: hub.url, retryDelayMs: 1, ...changes });
}

function refusal(message: RegExp, hint: RegExp): unknown {
  return expect.objectContaining({
    code: 'MODEL_UNAVAILABLE',
    message: expect.stringMatching(message),
    hint: expect.stringMatching(hint),
  });
}

async function blobs(): Promise<string[]> {
  return readdir(join(cacheDir, 'models--acme--tiny', 'blobs')).catch(() => []);
}

async function state(): Promise<string> {
  return (await locateModel({ id: ID, cacheDir })).state.state;
}

describe('pullModel', () => {
  it('downloads a working model in the layout that other tools expect', async () => {
    expect(await state()).toBe('absent');
    const directory = await pull({ hubUrl: `${hub.url}/` });
    expect(directory).toBe(join(cacheDir, 'models--acme--tiny', 'snapshots', HUB_COMMIT));
    expect(await readFile(join(cacheDir, 'models--acme--tiny', 'refs', 'main'), 'utf8')).toBe(HUB_COMMIT);
    for (const [path, content] of Object.entries(files)) {
      expect(await readFile(join(directory, path))).toEqual(content);
    }
    const { record, state: found } = await locateModel({ id: ID, cacheDir });
    expect(found).toEqual({ state: 'ready', directory });
    expect(record).toMatchObject({ id: ID, file: GRAPH, dimensions: 16, maxTokens: 64 });
    if (record === undefined) throw new Error('no record');
    const embedder = createOnnxEmbedder({ record, directory, runtime, threads: () => 1, idleMs: 1000 });
    expect(await embedder.embedQuery('git')).toHaveLength(16);
    await embedder.close();
  });

  it('reports download progress up to the end', async () => {
    const seen: PullProgress[] = [];
    await pull({ onProgress: (progress) => seen.push(progress) });
    const total = Object.values(files).reduce((sum, file) => sum + file.length, 0);
    expect(seen[0]).toEqual({ bytes: 0, total });
    expect(seen.at(-1)).toEqual({ bytes: total, total });
    expect(seen.map(({ bytes }) => bytes)).toEqual(seen.map(({ bytes }) => bytes).sort((a, b) => a - b));
  });

  it('downloads no model file twice', async () => {
    await pull();
    hub.requests.length = 0;
    const seen: PullProgress[] = [];
    await pull({ onProgress: (progress) => seen.push(progress) });
    expect(hub.requests.filter((request) => request.includes('/resolve/'))).toEqual([]);
    expect(seen).toHaveLength(1);
    expect(seen[0]?.bytes).toBe(seen[0]?.total);
  });

  it('resumes a download automatically when the connection breaks', async () => {
    hub.faults.cut = { bytes: 2000, times: 3 };
    const directory = await pull();
    expect(await readFile(join(directory, GRAPH))).toEqual(files[GRAPH]);
    expect(hub.requests.filter((request) => request.includes('bytes=2000-'))).not.toEqual([]);
  });

  it("resumes an earlier run's download", async () => {
    hub.faults.stall = 2000;
    await expect(pull(untilStalled())).rejects.toMatchObject({ name: 'AbortError' });
    expect(await state()).toBe('absent');
    hub.requests.length = 0;
    delete hub.faults.stall;
    const directory = await pull();
    expect(hub.requests.filter((request) => /bytes=\d+-/.test(request))).toHaveLength(1);
    expect(await readFile(join(directory, GRAPH))).toEqual(files[GRAPH]);
    expect((await blobs()).filter((name) => name.endsWith('.incomplete'))).toEqual([]);
  });

  it('restarts a download if the server does not support ranges', async () => {
    hub.faults.noRanges = true;
    hub.faults.cut = { bytes: 2000, times: 1 };
    expect(await readFile(join(await pull(), GRAPH))).toEqual(files[GRAPH]);
  });

  it("discards a file whose hash differs from the hub's", async () => {
    hub.faults.corrupt = true;
    await expect(pull()).rejects.toEqual(refusal(/does not match the hub's size and hash/, /Try again/));
    expect(await blobs()).toEqual([]);
    expect(await state()).toBe('absent');
    hub.faults.corrupt = false;
    await pull();
    expect(await state()).toBe('ready');
  });

  it("discards another tool's partial file that does not match", async () => {
    await pull();
    const [graph] = (
      await Promise.all((await blobs()).map(async (name) => ({ name, ...(await sizeOf(name)) })))
    ).filter(({ size }) => size === files[GRAPH]?.length);
    await rm(join(cacheDir, 'models--acme--tiny', 'snapshots'), { recursive: true });
    await rm(blobPath(graph?.name ?? ''));
    await writeFile(`${blobPath(graph?.name ?? '')}.incomplete`, 'something else');
    await expect(pull()).rejects.toEqual(refusal(/does not match the hub's size and hash/, /Try again/));
    await pull();
    expect(await state()).toBe('ready');
  });

  it('reports that the hub has no such model', async () => {
    await expect(pull({ id: 'acme/none' })).rejects.toEqual(
      refusal(/does not offer the model acme\/none .*404/, /owner\/name/),
    );
  });

  it('reports that a model has no graph', async () => {
    await hub.close();
    hub = await startHubDouble(ID, {
      'config.json': Buffer.from('{}'),
      'model.safetensors': Buffer.alloc(10),
    });
    await expect(pull()).rejects.toEqual(refusal(/lacks tokenizer\.json and an ONNX graph/, /onnx\/model/));
  });

  it('reports an error of the hub', async () => {
    hub.faults.status = 503;
    await expect(pull()).rejects.toEqual(refusal(/status 503/, /later/));
  });

  it('says what to do if there is no connection', async () => {
    await hub.close();
    await expect(pull()).rejects.toEqual(
      refusal(/cannot reach http:\/\/127\.0\.0\.1/, /HF_ENDPOINT.*SMART_FORK_MODEL_DIR/),
    );
    hub = await startHubDouble(ID, files);
  });

  it('reports a full disk during a download', async () => {
    const full: typeof fetch = async (input, init) => {
      if (String(input).includes('/resolve/')) throw Object.assign(new Error('write'), { code: 'ENOSPC' });
      return fetch(input, init);
    };
    await expect(pull({ fetch: full })).rejects.toEqual(refusal(/disk of .* is full/, /HF_HUB_CACHE/));
  });

  it('reports that the cache cannot be written', async () => {
    await writeFile(join(root, 'file'), '');
    await expect(pull({ cacheDir: join(root, 'file', 'hub') })).rejects.toMatchObject({
      code: 'MODEL_UNAVAILABLE',
    });
  });

  it('stops a download at once when aborted', async () => {
    hub.faults.stall = 100;
    await expect(pull(untilStalled())).rejects.toMatchObject({ name: 'AbortError' });
    expect(await state()).toBe('absent');
  });
});

describe('removeModel', () => {
  it('frees the disk space of a removed model', async () => {
    await pull();
    expect(await removeModel(cacheDir, ID)).toBeGreaterThan(files[GRAPH]?.length ?? Number.NaN);
    expect(await readdir(cacheDir)).toEqual([]);
    expect(await removeModel(cacheDir, ID)).toBe(0);
    expect(await state()).toBe('absent');
  });

  it("leaves another tool's files of the same model", async () => {
    const directory = await pull();
    await writeFile(join(directory, 'model.safetensors'), 'weights');
    expect(await removeModel(cacheDir, ID)).toBe(files[GRAPH]?.length);
    expect((await readdir(directory)).sort()).toEqual([
      'config.json',
      'model.safetensors',
      'onnx',
      'tokenizer.json',
    ]);
    expect(await state()).not.toBe('ready');
  });

  it('removes no other model', async () => {
    await pull();
    await mkdir(join(cacheDir, 'models--acme--other', 'blobs'), { recursive: true });
    await removeModel(cacheDir, ID);
    expect(await readdir(cacheDir)).toEqual(['models--acme--other']);
  });
});

/** Aborts a pull once everything that the hub sends before stalling has been written. */
function untilStalled(): Pick<PullOptions, 'signal'> {
  const controller = new AbortController();
  const { stall } = hub.faults;
  const isThere = async () => {
    const partial = (await blobs()).filter((name) => name.endsWith('.incomplete'));
    // A file may be renamed or removed after it has been listed.
    const sizes = await Promise.all(partial.map((name) => sizeOf(name).catch(() => null)));
    return sizes.some((one) => one?.size === stall);
  };
  const abortOnceThere = async () => {
    while (!(await isThere())) await new Promise((resolve) => setTimeout(resolve, 5));
    controller.abort();
  };
  void abortOnceThere();
  return { signal: controller.signal };
}

function blobPath(name: string): string {
  return join(cacheDir, 'models--acme--tiny', 'blobs', name);
}

async function sizeOf(name: string): Promise<{ size: number }> {
  return { size: (await stat(blobPath(name))).size };
}
