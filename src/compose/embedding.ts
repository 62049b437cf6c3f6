import { leaveVectorsToServer } from '../app/share/embed/leave-vectors.ts';
import type { Config } from '../config/config.ts';
import type { EmbeddingService } from '../config/embedding.ts';
import { withoutLogin } from '../config/environment.ts';
import { SmartForkError } from '../domain/errors.ts';
import { serviceRecord } from '../domain/model/known-models.ts';
import type { ModelRecord } from '../domain/model/model-record.ts';
import type { Embedder, ModelState, QueryEmbedder } from '../ports/embedder.ts';
import type { PointStore } from '../ports/point-store.ts';
import type { Redactor } from '../ports/redactor.ts';
import { type LocatedModel, locateModel } from './located-model.ts';

/** What turns texts and queries into vectors. */
export interface Embedding {
  /** The model that text is cut for. */
  model(): Promise<ModelRecord>;
  state(): Promise<ModelState>;
  /** @throws SmartForkError MODEL_UNAVAILABLE where nothing on this machine embeds. */
  embedder(): Promise<Embedder>;
  queries(): Promise<QueryEmbedder>;
  /** The local store as it is used beside this. */
  local(store: PointStore): PointStore;
  /** For a server that embeds by itself. */
  service: EmbeddingService | null;
  /** Looks again for a model that was not there. */
  noticeChanges(): Promise<void>;
  close(): Promise<void>;
}

/** The one place that knows what embeds. */
export function composeEmbedding(config: Config, redactor: Redactor): Embedding {
  const { service } = config.embedding;
  return service === null ? embeddingHere(config) : embeddingThere(service, config, redactor);
}

function embeddingHere(config: Config): Embedding {
  let located: Promise<LocatedModel> | null = null;
  let embedder: Embedder | null = null;
  const locate = () => {
    located ??= locateModel(config);
    return located;
  };
  const open = async () => {
    const { record, state } = await locate();
    const { createOnnxEmbedder } = await import('../adapters/onnx/onnx-embedder.ts');
    const { threads, idleMs } = config.embedding;
    // Nothing is awaited between the look and the making: calls may overlap.
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

/** Nothing of a model is looked for, downloaded or loaded. Queries are redacted like all that is sent. */
function embeddingThere(service: EmbeddingService, { qdrant }: Config, redactor: Redactor): Embedding {
  const { model: id, dimensions } = service;
  const place = qdrant === null ? 'the server' : `Qdrant at ${withoutLogin(qdrant.url)}`;
  return {
    model: async () => serviceRecord(service),
    state: async () => ({ state: 'server', place }),
    embedder: async () => {
      throw new SmartForkError('MODEL_UNAVAILABLE', `texts are embedded by ${place}, not on this machine`, {
        hint: 'For a model of your own: smart-fork config set embedding.provider local',
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
