import type { QueryVector } from '../../../domain/search/search.ts';
import type { Embedding, QueryEmbedder } from '../../../ports/embedder.ts';

/** Embeds each text once, however often a question asks for it. */
export function embedOnce<T extends Pick<Embedding, 'queries'>>(embedding: T): T {
  const vectors = new Map<string, Promise<QueryVector>>();
  const queries = async (): Promise<QueryEmbedder> => {
    const embedder = await embedding.queries();
    return {
      model: embedder.model,
      embedQuery: (text) => {
        const known = vectors.get(text);
        if (known !== undefined) return known;
        const vector = embedder.embedQuery(text);
        vectors.set(text, vector);
        return vector;
      },
    };
  };
  return { ...embedding, queries };
}
