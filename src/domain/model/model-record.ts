/** What must be known of an embedding model to run it and to cut text for it. */
export interface ModelRecord {
  /** As on the Hugging Face hub: `owner/name`. The store remembers it with its vectors. */
  id: string;
  /** Path of the ONNX graph inside the model's folder. */
  file: string;
  dimensions: number;
  /** Longest input in tokens, special tokens included; longer text is cut. */
  maxTokens: number;
  documentPrefix: string;
  queryPrefix: string;
  pooling: 'mean' | 'cls';
  /** Chunk sizes in estimated tokens (domain/tokens.ts). */
  chunk: ChunkSizes;
}

export interface ChunkSizes {
  min: number;
  target: number;
  max: number;
  overlap: number;
}
