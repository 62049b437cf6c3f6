import { hashToken } from '../../../src/adapters/qdrant/schema/sparse.ts';
import type { ModelRecord } from '../../../src/domain/model/model-record.ts';
import { createLexicalTokenizer } from '../../../src/domain/search/lexical.ts';
import type { Embedder } from '../../../src/ports/embedder.ts';

/** Bag-of-words vectors by signed feature hashing: comparing stores needs no model. */
export function hashedWords(model: ModelRecord): Embedder {
  const tokenizer = createLexicalTokenizer();
  const embed = (text: string): Float32Array => {
    const vector = new Float32Array(model.dimensions);
    for (const { stem } of tokenizer.words(text)) {
      const hash = hashToken(stem);
      const at = hash % model.dimensions;
      vector[at] = (vector[at] ?? 0) + (hash & 0x40000000 ? 1 : -1);
    }
    const length = Math.hypot(...vector) || 1;
    return vector.map((value) => value / length);
  };
  return {
    model,
    embedDocuments: async (texts) => texts.map(embed),
    embedQuery: async (text) => embed(text),
    close: async () => undefined,
  };
}
