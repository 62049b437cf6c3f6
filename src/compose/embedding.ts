import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { pullModel as Pull } from '../adapters/onnx/pull-model.ts';
import type { removeModel as Remove } from '../adapters/onnx/remove-model.ts';
import { leaveVectorsToServer } from '../app/share/embed/leave-vectors.ts';
import type { Config } from '../config/config.ts';
import type { EmbeddingService } from '../config/embedding.ts';
import { withoutLogin } from '../config/environment.ts';
import { SmartForkError } from '../domain/errors.ts';
import { DEFAULT_MODEL, knownModel, serviceRecord } from '../domain/model/known-models.ts';
import type { ModelRecord } from '../domain/model/model-record.ts';
import type { Embedder, Embedding, ModelFiles } from '../ports/embedder.ts';
import type { PointStore } from '../ports/point-store.ts';
import type { Redactor } from '../ports/redactor.ts';

export interface ComposedEmbedding extends Embedding {
  /** Wraps the local store, so that only passages to be embedded here count as waiting for vectors. */
  local<S extends PointStore>(store: S): S;
  /** The server's embedding service; null if this machine embeds. */
  service: EmbeddingService | null;
  /** Looks again for a model that was missing. */
  noticeChanges(): Promise<void>;
  close(): Promise<void>;
}

/** Decides between a model on this machine and the server's: nothing else does. */
export function composeEmbedding(config: Config, redactor: Redactor): ComposedEmbedding {
  const { service } = config.embedding;
  return service === null ? embeddingHere(config) : embeddingThere(service, config, redactor);
}

export const pullModel: typeof Pull = async (options) =>
  (await import('../adapters/onnx/pull-model.ts')).pullModel(options);

export const removeModel: typeof Remove = async (...args) =>
  (await import('../adapters/onnx/remove-model.ts')).removeModel(...args);

function embeddingHere(config: Config): ComposedEmbedding {
  let located: Promise<LocatedModel> | null = null;
  let embedder: Embedder | null = null;
  const locate = () => {
    located ??= locateModel(config);
    return located;
  };
  const open = async () => {
    const { record, state } = await locate();
    const [{ createOnnxEmbedder }, { freeThreads }] = await Promise.all([
      import('../adapters/onnx/onnx-embedder.ts'),
      import('../adapters/system/power.ts'),
    ]);
    const { idleMs } = config.embedding;
    const threads = () => config.embedding.threads ?? freeThreads();
    // No await between the check and the assignment: calls may overlap.
    embedder ??= createOnnxEmbedder({ record, directory: state.directory, threads, idleMs });
    return embedder;
  };
  return {
    model: async () => (await locate()).record,
    state: async () => (await locate()).state,
    embedder: open,
    queries: open,
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

interface LocatedModel {
  record: ModelRecord;
  state: ModelFiles;
}

/** Finds the model without loading the runtime. */
async function locateModel({ embedding }: Config): Promise<LocatedModel> {
  const { model, modelDirectory, cacheDirectory } = embedding;
  const id = model ?? DEFAULT_MODEL;
  const folder = modelDirectory ?? join(cacheDirectory, `models--${id.replaceAll('/', '--')}`);
  const known = knownModel(id);
  if (!existsSync(folder) && known !== undefined) {
    return { record: known, state: { state: 'absent', directory: folder, reason: `it is not in ${folder}` } };
  }
  const files = await import('../adapters/onnx/model-files.ts');
  const found = await files.locateModel({
    ...(model !== null && { id: model }),
    ...(modelDirectory !== null && { directory: modelDirectory }),
    cacheDir: cacheDirectory,
  });
  const record = found.record ?? known;
  if (record !== undefined) return { record, state: found.state };
  throw new SmartForkError('MODEL_UNAVAILABLE', `unknown model ${id}: ${reasonOf(found.state)}`, {
    hint: 'Download it (smart-fork model pull), or set SMART_FORK_MODEL_DIR to a folder that contains it.',
  });
}

function reasonOf(state: ModelFiles): string {
  return state.state === 'ready' ? 'it has no record' : state.reason;
}
