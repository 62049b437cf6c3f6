import { type Fields, isFields, Refusal } from './answer.ts';
import { noInference } from './points.ts';

/** The double's embedding service; a real server calls a separate one. */
export interface InferenceService {
  /** Dimensions of each model. */
  models: Record<string, number>;
  /** Every text stored or searched for, in order. */
  stored: string[];
  searched: string[];
  /** The reason for refusing a request, if there is one. */
  refuse?: () => Refusal | null;
}

export const CLOUD_MODEL = 'sentence-transformers/all-minilm-l6-v2';

export function inferenceService(models: Record<string, number> = { [CLOUD_MODEL]: 384 }): InferenceService {
  return { models, stored: [], searched: [] };
}

/** Refusals with a real server's texts. */
export const REFUSALS = {
  quota: () =>
    new Refusal(400, "Bad request: Inference can't process request (402 Payment Required): quota exceeded"),
  vectorsOnly: () =>
    new Refusal(
      400,
      'Format error in JSON body: data did not match any variant of untagged enum VectorStructPersisted at line 1 column 96',
    ),
  unknownCluster: () =>
    new Refusal(
      500,
      'Service internal error: Authentication failed for inference service (403 Forbidden): no',
    ),
  failing: () =>
    new Refusal(500, 'Service internal error: Inference service error (503 Service Unavailable): down'),
};

/** The body with vectors in place of documents. A server's own BM25 needs no service. */
export function embedDocuments(service: InferenceService | undefined, body: unknown): unknown {
  const found: { text: string; model: string; search: boolean }[] = [];
  replaceDocuments(body, false, (document) => {
    found.push(document);
    return null;
  });
  if (found.length === 0) return body;
  if (service === undefined) throw noInference();
  const refusal = service.refuse?.() ?? null;
  if (refusal !== null) throw refusal;
  const unknown = found.find(({ model }) => !(model in service.models));
  if (unknown !== undefined)
    throw new Refusal(400, `Bad request: Inference request validation failed: no model ${unknown.model}`);
  // A server embeds a text once for all searches in a request.
  const searched = new Set(found.filter(({ search }) => search).map(({ text }) => text));
  service.searched.push(...searched);
  service.stored.push(...found.filter(({ search }) => !search).map(({ text }) => text));
  return replaceDocuments(body, false, ({ text, model }) => embedWords(text, service.models[model] ?? 0));
}

type Replace = (document: { text: string; model: string; search: boolean }) => unknown;

function replaceDocuments(value: unknown, search: boolean, replace: Replace): unknown {
  if (Array.isArray(value)) {
    const isNumbers = typeof value[0] === 'number';
    return isNumbers ? value : value.map((one) => replaceDocuments(one, search, replace));
  }
  if (!isFields(value)) return value;
  const { text, model } = value;
  if (typeof text === 'string' && typeof model === 'string' && model !== 'qdrant/bm25')
    return replace({ text, model, search });
  const entries = Object.entries(value).map(([key, one]): [string, unknown] => [
    key,
    NO_VECTORS.has(key) ? one : replaceDocuments(one, search || key === 'query', replace),
  ]);
  return Object.fromEntries(entries) satisfies Fields;
}

const NO_VECTORS = new Set(['payload', 'filter', 'update_filter']);

/** Words that the double treats as synonyms. */
const MEANINGS: Record<string, string> = {
  automobile: 'car',
  vehicle: 'car',
  repair: 'mend',
  repaired: 'mend',
  fixed: 'mend',
  engine: 'motor',
};

/** A bag of words: each word has nearly its own direction, and the sum has length 1. */
function embedWords(text: string, dimensions: number): number[] {
  const sum = new Float64Array(dimensions);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ['']) {
    let state = seedOf(MEANINGS[word] ?? word);
    for (let at = 0; at < dimensions; at += 1) {
      state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9;
      sum[at] = (sum[at] ?? 0) + (((state >>> 8) & 0xffff) / 0x8000 - 1);
    }
  }
  const length = Math.hypot(...sum) || 1;
  return Array.from(sum, (value) => Math.fround(value / length));
}

function seedOf(word: string): number {
  let hash = 0x811c9dc5;
  for (const character of word) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return hash | 0;
}
