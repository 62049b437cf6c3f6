import { type Problem, problemOf, SmartForkError } from '../../../domain/errors.ts';
import { servicePrefixes } from '../../../domain/model/known-models.ts';
import { numbersIn } from '../../../domain/search/search.ts';
import type { EmbeddingRefusals } from '../../../ports/embedder.ts';
import { type FindQuery, withoutVectors } from '../../../ports/point-store.ts';
import { isServiceRefusal } from '../http/errors.ts';
import type { Schemas } from '../types.ts';

/** Qdrant's "documents": texts sent in place of vectors, which the server embeds. */
export interface Documents {
  model: { id: string; dimensions: number };
  refusals: EmbeddingRefusals;
  address: string;
}

/** Texts to embed per request: the service behind the server has only a few seconds for them. */
export const DOCUMENTS_A_REQUEST = 64;

export function documentOf({ model }: Documents, text: string): Schemas['Document'] {
  return { text: servicePrefixes(model.id).documentPrefix + text, model: model.id };
}

export function queryDocumentOf({ model }: Documents, text: string): Schemas['Document'] {
  return { text: servicePrefixes(model.id).queryPrefix + text, model: model.id };
}

/**
 * Sends with documents, or without them if the service refuses them or did so recently. Any other error of the request occurs
 * again without documents, and is thrown.
 */
export async function withDocuments<T>(
  documents: Documents | null,
  send: (documents: Documents | null) => Promise<T>,
): Promise<{ answer: T; refusal: Problem | null }> {
  const known = documents?.refusals.current() ?? null;
  if (documents === null || known !== null) return { answer: await send(null), refusal: known };
  try {
    const answer = await send(documents);
    documents.refusals.clear();
    return { answer, refusal: null };
  } catch (error) {
    if (!isServiceRefusal(error)) throw error;
    const answer = await send(null);
    const refusal = problemOf(describeRefusal(error, documents));
    documents.refusals.note(refusal);
    return { answer, refusal };
  }
}

/** The same for a query: if the server does not embed it, the search falls back to keywords. */
export async function askByText<T>(
  documents: Documents | null,
  query: FindQuery,
  ask: (query: FindQuery) => Promise<T>,
): Promise<{ answer: T; refusal: Problem | null }> {
  if (query.vector === null || numbersIn(query.vector) !== null)
    return { answer: await ask(query), refusal: null };
  return withDocuments(documents, (usable) => ask(usable === null ? withoutVectors(query) : query));
}

function describeRefusal(error: SmartForkError, { model, address }: Documents): SmartForkError {
  const answer = error.cause instanceof Error ? error.cause.message : error.message;
  const isCloud = new URL(address).hostname.endsWith('.cloud.qdrant.io');
  const refusal = (message: string, hint: string) =>
    new SmartForkError('MODEL_UNAVAILABLE', message, { hint: `${hint} ${WITHOUT}`, cause: error });
  if (/InferenceService URL not configured/.test(answer)) {
    const hint = isCloud ? 'Enable it in the cluster’s Inference tab.' : NONE_WHEN_SELF_HOSTED;
    return refusal('the server has no embedding service', hint);
  }
  const isOtherShape = error.code === 'MODEL_MISMATCH' && error.hint !== undefined;
  const hint = isOtherShape
    ? error.hint
    : isCloud
      ? 'See the cluster’s Inference tab.'
      : NONE_WHEN_SELF_HOSTED;
  return refusal(`the server does not embed with ${model.id}: ${reasonOf(answer)}`, hint ?? '');
}

/** The server's own message, unless it is a parse error about a text in place of a vector. */
export function reasonOf(answer: string): string {
  if (/untagged enum|Format error in JSON body/i.test(answer))
    return 'it does not accept texts in place of vectors';
  return answer.replace(/^(?:(?:Service internal error|Wrong input|Bad request): )+/, '');
}

const NONE_WHEN_SELF_HOSTED = 'Qdrant Cloud clusters have an embedding service; self-hosted servers do not.';
const WITHOUT = 'Without it: smart-fork config set embedding.provider local';
