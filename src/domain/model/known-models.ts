import type { ModelRecord } from './model-record.ts';

export const DEFAULT_MODEL = 'nomic-ai/nomic-embed-text-v1.5';

/** What turns texts into vectors: a model on this machine, or the inference service of Qdrant Cloud. */
export const EMBEDDING_PROVIDERS = ['local', 'qdrant-cloud'] as const;
export type EmbeddingProvider = (typeof EMBEDDING_PROVIDERS)[number];

/** The model of Qdrant Cloud's service unless another one is named. Its id is written as the service writes it. */
export const SERVICE_MODEL = { id: 'sentence-transformers/all-minilm-l6-v2', dimensions: 384 };

/**
 * What text is cut for that a service embeds. How long a text it reads is not known, but no model that it has reads less than
 * all-MiniLM: pieces are as long as for that one.
 */
export function serviceRecord({ model, dimensions }: { model: string; dimensions: number }): ModelRecord {
  return { ...MINI_LM, id: model, dimensions };
}

/** The record of a model that is known by name; undefined for any other. */
export function knownModel(id: string): ModelRecord | undefined {
  return KNOWN_MODELS.find((record) => record.id === id);
}

/** Where an ONNX graph may lie in a model's repository or folder, the smaller ones first. */
export function graphPaths(preferred?: string): string[] {
  const paths = ['onnx/model_quantized.onnx', 'model_quantized.onnx', 'onnx/model.onnx', 'model.onnx'];
  return preferred === undefined ? paths : [preferred, ...paths.filter((path) => path !== preferred)];
}

const MINI_LM: ModelRecord = {
  id: 'sentence-transformers/all-MiniLM-L6-v2',
  file: 'onnx/model_quantized.onnx',
  dimensions: 384,
  // All its positions. Its authors cut at 256, which would lose the end of the longest chunks.
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
    // What it was trained on. It can be stretched to 8,192, but chunks end long before that.
    maxTokens: 2048,
    documentPrefix: 'search_document: ',
    queryPrefix: 'search_query: ',
    pooling: 'mean',
    chunk: { min: 500, target: 750, max: 1000, overlap: 150 },
  },
  MINI_LM,
];
