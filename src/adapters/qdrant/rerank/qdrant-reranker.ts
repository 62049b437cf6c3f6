import { SmartForkError } from '../../../domain/errors.ts';
import { nodeCrypto } from '../../../domain/text/hash.ts';
import type { Reranker } from '../../../ports/rerank/reranker.ts';
import { hitsIn } from '../http/check-answer.ts';
import { describeQdrantError, isServiceRefusal, placeOf } from '../http/errors.ts';
import { QdrantAnswerError } from '../http/retry.ts';
import { createTransport } from '../http/transport.ts';
import type { QdrantOptions } from '../options.ts';
import { reasonOf } from '../schema/documents.ts';
import type { Schemas } from '../types.ts';

interface RerankerOptions extends Pick<QdrantOptions, 'url' | 'apiKey' | 'collection'> {
  model: { id: string; dimensions: number };
  now?: () => number;
}

const VECTOR = 'words';
const TIMEOUT_MS = 5000;
/** No search takes this long: anything older was left by a killed process. */
const LEFT_BEHIND_MS = 60_000;

/**
 * Late interaction on a Qdrant server that embeds. While passages are being reranked, they are stored in a temporary collection, without
 * their texts, as one vector per word. Storing these for every passage of an index would take 100 kB each.
 */
export function createQdrantReranker({ now = Date.now, model, ...options }: RerankerOptions): Reranker {
  const timeouts = { read: TIMEOUT_MS, write: TIMEOUT_MS };
  const transport = createTransport({ ...options, timeouts, retries: { reads: 0, writes: 0 } });
  const collection = `${options.collection}_reranking`;
  const base = `/collections/${encodeURIComponent(collection)}`;
  const removals = new Set<Promise<unknown>>();

  const create = async () => {
    const words: Schemas['VectorParams'] = {
      ...{ size: model.dimensions, distance: 'Cosine', on_disk: true, hnsw_config: { m: 0 } },
      multivector_config: { comparator: 'max_sim' },
    };
    await transport.request('write', 'PUT', base, { vectors: { [VECTOR]: words } }).catch(unlessStatus(409));
    await transport.request('write', 'PUT', `${base}/index?wait=true`, {
      ...{ field_name: 'at', field_schema: 'integer' },
    });
  };
  const put = async (points: Schemas['PointStruct'][]) => {
    const send = () => transport.request('write', 'PUT', `${base}/points?wait=true`, { points });
    const missing = await send().then(() => false, unlessStatus(404));
    if (missing === false) return;
    await create();
    await send();
  };
  const remove = (ids: string[]) => {
    const filter = { should: [{ has_id: ids }, { key: 'at', range: { lt: now() - LEFT_BEHIND_MS } }] };
    const removal = transport.request('write', 'POST', `${base}/points/delete`, { filter }).catch(() => null);
    removals.add(removal);
    void removal.then(() => removals.delete(removal));
  };
  const documentOf = (text: string): Schemas['Document'] => ({ text, model: model.id });

  return {
    name: model.id,
    state: async () => ({ state: 'ready', directory: placeOf(collection, transport.address) }),
    async score(query, texts) {
      const ids = texts.map(() => nodeCrypto().randomUUID());
      const points = texts.map((text, at) => ({
        ...{ id: ids[at] ?? '', payload: { at: now() } },
        vector: { [VECTOR]: documentOf(text) },
      }));
      try {
        await put(points);
        const answer = await transport.request('read', 'POST', `${base}/points/query/batch`, {
          searches: [
            {
              query: documentOf(query),
              using: VECTOR,
              filter: { must: [{ has_id: ids }] },
              limit: ids.length,
            },
          ],
        });
        const hits = hitsIn(answer, [ids.length]).flat();
        const scores = new Map(hits.map(({ id, score }) => [String(id), score]));
        return ids.map((id) => scores.get(id) ?? 0);
      } catch (error) {
        throw refusalOf(describeQdrantError(error, transport.address, collection), model.id);
      } finally {
        remove(ids);
      }
    },
    async close() {
      await Promise.all(removals);
      transport.close();
    },
  };
}

/** Resolves for an answer with this status, and rejects otherwise. */
function unlessStatus(status: number): (error: unknown) => void {
  return (error) => {
    if (!(error instanceof QdrantAnswerError) || error.status !== status) throw error;
  };
}

function refusalOf(error: SmartForkError, model: string): SmartForkError {
  if (!isServiceRefusal(error)) return error;
  const answer = error.cause instanceof Error ? error.cause.message : error.message;
  const message = /InferenceService URL not configured/.test(answer)
    ? 'the server has no embedding service'
    : `the server does not run ${model}: ${reasonOf(answer)}`;
  return new SmartForkError('MODEL_UNAVAILABLE', message, { cause: error });
}
