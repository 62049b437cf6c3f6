/** What is needed to run an embedding model and to chunk text for it. */
export interface ModelRecord {
  /** As on the Hugging Face hub: `owner/name`. Stored with the vectors. */
  id: string;
  /** Path of the ONNX graph inside the model's folder. */
  file: string;
  dimensions: number;
  /** Longest input in tokens, special tokens included; longer text is truncated. */
  maxTokens: number;
  documentPrefix: string;
  queryPrefix: string;
  pooling: 'mean' | 'cls';
  /** Chunk sizes in estimated tokens (domain/text/tokens.ts). */
  chunk: ChunkSizes;
}

export interface ChunkSizes {
  min: number;
  target: number;
  max: number;
  overlap: number;
}
