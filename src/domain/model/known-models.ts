import type { ModelRecord } from './model-record.ts';

export const DEFAULT_MODEL = 'nomic-ai/nomic-embed-text-v1.5';

/** Where texts are embedded: by a model on this machine, or by Qdrant Cloud's inference service. */
export const EMBEDDING_PROVIDERS = ['local', 'qdrant-cloud'] as const;

/** Default model of Qdrant Cloud's service, as the service spells it. */
export const SERVICE_MODEL = { id: 'sentence-transformers/all-minilm-l6-v2', dimensions: 384 };

/**
 * Chunk sizes for a model of a service. Its input limit is unknown. Of the models on offer all-MiniLM has the smallest, so its
 * sizes are used.
 */
export function serviceRecord({ model, dimensions }: { model: string; dimensions: number }): ModelRecord {
  return { ...MINI_LM, id: model, dimensions };
}

/**
 * The prefixes that a service's model expects. Services leave them to the caller, and E5 finds much less without them. Services spell
 * the owner and the case in their own way: `intfloat/multilingual-e5-small`.
 */
export function servicePrefixes(model: string): Pick<ModelRecord, 'documentPrefix' | 'queryPrefix'> {
  return namedModel(model) ?? { documentPrefix: '', queryPrefix: '' };
}

/** The full id of a built-in model named without its owner; any other name unchanged. */
export function fullModelId(name: string): string {
  return name.includes('/') ? name : (namedModel(name)?.id ?? name);
}

function namedModel(name: string): ModelRecord | undefined {
  const last = (id: string) => id.split('/').at(-1)?.toLowerCase();
  return KNOWN_MODELS.find(({ id }) => last(id) === last(name));
}

/** A built-in model's record; undefined for any other model. */
export function knownModel(id: string): ModelRecord | undefined {
  return KNOWN_MODELS.find((record) => record.id === id);
}

/** Usual paths of ONNX graphs in a repository or folder, smallest graph first. */
export function graphPaths(preferred?: string): string[] {
  const paths = ['onnx/model_quantized.onnx', 'model_quantized.onnx', 'onnx/model.onnx', 'model.onnx'];
  return preferred === undefined ? paths : [preferred, ...paths.filter((path) => path !== preferred)];
}

const MINI_LM: ModelRecord = {
  id: 'sentence-transformers/all-MiniLM-L6-v2',
  file: 'onnx/model_quantized.onnx',
  dimensions: 384,
  // All positions. The authors truncate at 256, which would lose the end of long chunks.
  maxTokens: 512,
  documentPrefix: '',
  queryPrefix: '',
  pooling: 'mean',
  chunk: { min: 165, target: 250, max: 333, overlap: 50 },
};

const KNOWN_MODELS: readonly ModelRecord[] = [
  {
    id: DEFAULT_MODEL,
    file: 'onnx/model_quantized.onnx',
    dimensions: 768,
    // The training length. It can be extended to 8,192, but chunks are much shorter.
    maxTokens: 2048,
    documentPrefix: 'search_document: ',
    queryPrefix: 'search_query: ',
    pooling: 'mean',
    chunk: { min: 500, target: 750, max: 1000, overlap: 150 },
  },
  MINI_LM,
  // These copies contain quantized graphs; the authors' repositories do not.
  {
    ...MINI_LM,
    id: 'Xenova/multilingual-e5-small',
    documentPrefix: 'passage: ',
    queryPrefix: 'query: ',
  },
  {
    ...MINI_LM,
    id: 'Xenova/bge-small-en-v1.5',
    queryPrefix: 'Represent this sentence for searching relevant passages: ',
    pooling: 'cls',
  },
];
