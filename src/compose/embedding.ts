import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findRuntime, RUNTIME_VERSION } from '../adapters/onnx/find-runtime.ts';
import { locateModel as locateFiles } from '../adapters/onnx/model-files.ts';
import type { pullModel as Pull } from '../adapters/onnx/pull-model.ts';
import type { removeModel as Remove } from '../adapters/onnx/remove-model.ts';
import { leaveVectorsToServer } from '../app/share/embed/leave-vectors.ts';
import type { Config } from '../config/config.ts';
import type { EmbeddingService } from '../config/embedding.ts';
import { type Environment, environmentForTools, withoutLogin } from '../config/environment.ts';
import { SmartForkError } from '../domain/errors.ts';
import { withChunkSizes } from '../domain/model/chunk-sizes.ts';
import { DEFAULT_MODEL, knownModel, serviceRecord } from '../domain/model/known-models.ts';
import type { ModelRecord } from '../domain/model/model-record.ts';
import type { Embedder, Embedding, ModelFiles } from '../ports/embedder.ts';
import type { SearchNotes } from '../ports/machine.ts';
import type { PointStore } from '../ports/point-store.ts';
import type { Redactor } from '../ports/redactor.ts';

interface ComposedEmbedding extends Embedding {
  /** Wraps the local store, so that only passages to be embedded here count as pending. */
  local<S extends PointStore>(store: S): S;
  /** The server's embedding service; null if this machine embeds. */
  service: EmbeddingService | null;
  /** Looks again for a model that was missing. */
  noticeChanges(): Promise<void>;
  close(): Promise<void>;
}

/** Notes about where models were found. */
type ModelNotes = Pick<SearchNotes, 'modelFolder' | 'setModelFolder' | 'lastModelFolder'>;

/** The only place that decides between a model on this machine and the server's. */
export function composeEmbedding(config: Config, redactor: Redactor, notes: ModelNotes): ComposedEmbedding {
  const { service } = config.embedding;
  const embedding =
    service === null ? embeddingHere(config, notes) : embeddingThere(service, config, redactor);
  return { ...embedding, model: async () => withChunkSizes(await embedding.model(), config.embedding.chunk) };
}

export const pullModel: typeof Pull = async (options) =>
  (await import('../adapters/onnx/pull-model.ts')).pullModel(options);

export const removeModel: typeof Remove = async (...args) =>
  (await import('../adapters/onnx/remove-model.ts')).removeModel(...args);

function embeddingHere(config: Config, notes: ModelNotes): ComposedEmbedding {
  let located: Promise<LocatedModel> | null = null;
  let embedder: Embedder | null = null;
  const locate = () => {
    located ??= locateModel(withLastFolder(config, notes));
    return located;
  };
  const open = async () => {
    const { record, state, runtime } = await locate();
    if (runtime === null) throw noRuntime();
    const [{ createOnnxEmbedder }, { freeThreads }] = await Promise.all([
      import('../adapters/onnx/onnx-embedder.ts'),
      import('../adapters/system/power.ts'),
    ]);
    const { idleMs } = config.embedding;
    const threads = () => config.embedding.threads ?? freeThreads();
    // No await between the check and the assignment: calls may overlap.
    if (embedder === null) noteFolder(notes, record.id, state.directory);
    embedder ??= createOnnxEmbedder({ record, directory: state.directory, runtime, threads, idleMs });
    return embedder;
  };
  return {
    model: async () => (await locate()).record,
    state: async () => (await locate()).state,
    embedder: open,
    queries: open,
    lastFolder: (id) => notes.modelFolder(id),
    local: (store) => store,
    service: null,
    async noticeChanges() {
      const isReady = await locate().then(
        ({ state }) => state.state === 'ready',
        () => false,
      );
      if (!isReady) located = null;
    },
    async close() {
      await embedder?.close();
      embedder = null;
    },
  };
}

/** Notes the folder, because another shell may not be configured with it. */
function noteFolder(notes: ModelNotes, id: string, folder: string): void {
  if (notes.lastModelFolder() !== folder) notes.setModelFolder(id, folder);
}

/**
 * If the default model is wanted but not there, the model that was used last: agents start hooks without the variables of the
 * shell in which the index was made.
 */
function withLastFolder(config: Config, notes: ModelNotes): Config {
  const { model, modelDirectory } = config.embedding;
  if (model !== DEFAULT_MODEL || modelDirectory !== null || existsSync(folderOf(config, model)))
    return config;
  const folder = notes.lastModelFolder();
  if (folder === null || !existsSync(folder)) return config;
  return { ...config, embedding: { ...config.embedding, model: null, modelDirectory: folder } };
}

function folderOf({ embedding }: Config, id: string): string {
  return join(embedding.cacheDirectory, `models--${id.replaceAll('/', '--')}`);
}

/** Never looks for, downloads or loads a model. Queries are redacted like everything else that is sent. */
function embeddingThere(
  service: EmbeddingService,
  { qdrant }: Config,
  redactor: Redactor,
): ComposedEmbedding {
  const { model: id, dimensions } = service;
  const place = qdrant === null ? 'the server' : `Qdrant at ${withoutLogin(qdrant.url)}`;
  return {
    model: async () => serviceRecord(service),
    state: async () => ({ state: 'server', place }),
    embedder: async () => {
      throw new SmartForkError('MODEL_UNAVAILABLE', `${place} computes the embeddings, not this machine`, {
        hint: 'To use a local model: smart-fork config set embedding.provider local',
      });
    },
    queries: async () => ({
      model: { id, dimensions },
      embedQuery: async (query) => {
        const [redacted] = await redactor.redact([{ text: query }]);
        return { text: redacted?.text ?? '' };
      },
    }),
    local: leaveVectorsToServer,
    service,
    noticeChanges: async () => undefined,
    close: async () => undefined,
  };
}

/** Path of the package that runs models; null if it is not installed. */
export function runtimePath({ home }: Config): string | null {
  return findRuntime(folderIn(home));
}

/** Installs the package that runs models if it is missing. Returns whether it did. */
export async function pullRuntime(config: Config, env: Environment, signal: AbortSignal): Promise<boolean> {
  if (runtimePath(config) !== null) return false;
  const { installRuntime } = await import('../adapters/onnx/install-runtime.ts');
  const { pathOfProgram } = await import('./programs.ts');
  const npm = pathOfProgram('npm', env);
  const manifest = fileURLToPath(new URL('../../runtime/', import.meta.url));
  const tools = environmentForTools(env);
  await installRuntime({ manifest, home: folderIn(config.home), npm, env: tools, signal });
  return true;
}

/** Each version has its own folder. */
function folderIn(home: string): string {
  return join(home, 'runtime', RUNTIME_VERSION);
}

interface LocatedModel {
  record: ModelRecord;
  state: ModelFiles;
  /** Path of the runtime; null if it is not installed, or if the model is absent. */
  runtime: string | null;
}

/** Finds the model and the runtime without loading them. */
async function locateModel(config: Config): Promise<LocatedModel> {
  const { model, modelDirectory, cacheDirectory } = config.embedding;
  const id = model ?? DEFAULT_MODEL;
  const folder = modelDirectory ?? folderOf(config, id);
  const known = knownModel(id);
  if (!existsSync(folder) && known !== undefined) {
    const reason = `${folder} does not exist`;
    return { record: known, state: { state: 'absent', directory: folder, reason }, runtime: null };
  }
  const found = await locateFiles({
    id: model ?? undefined,
    directory: modelDirectory ?? undefined,
    cacheDir: cacheDirectory,
  });
  const record = found.record ?? known;
  if (record !== undefined) return withRuntime(record, found.state, config);
  throw new SmartForkError('MODEL_UNAVAILABLE', `unknown model ${id}: ${reasonOf(found.state)}`, {
    hint: 'Download it (smart-fork model pull), or set SMART_FORK_MODEL_DIR to a folder that contains it.',
  });
}

/** A model without a runtime counts as absent. */
async function withRuntime(record: ModelRecord, state: ModelFiles, config: Config): Promise<LocatedModel> {
  if (state.state !== 'ready') return { record, state, runtime: null };
  const runtime = runtimePath(config);
  if (runtime !== null) return { record, state, runtime };
  const { directory } = state;
  return { record, state: { state: 'absent', directory, reason: NO_RUNTIME, lacksRuntime: true }, runtime };
}

const NO_RUNTIME = 'onnxruntime-node, which runs it, is not installed';

function noRuntime(): SmartForkError {
  return new SmartForkError('MODEL_UNAVAILABLE', `cannot run the model: ${NO_RUNTIME}`, {
    hint: 'smart-fork model pull installs it. Keyword search works without it.',
  });
}

function reasonOf(state: ModelFiles): string {
  return state.state === 'ready' ? 'it has no record' : state.reason;
}
