import { errorText, SmartForkError } from '../../../domain/errors.ts';
import { megabytes } from '../../http/read-limited.ts';
import { AnswerTooLongError, QdrantAnswerError } from './retry.ts';

/** Turns an error of a request into one that says what failed and what to do. It never contains the API key. */
export function describeQdrantError(error: unknown, address: string, collection: string): SmartForkError {
  if (error instanceof SmartForkError) return error;
  const { message, hint } = explain(error, address, collection);
  const code = isOtherShape(error) ? 'MODEL_MISMATCH' : 'STORE_UNAVAILABLE';
  const retryAfterMs = error instanceof QdrantAnswerError ? (error.retryAfter ?? undefined) : undefined;
  return new SmartForkError(code, message, { hint, cause: error, retryAfterMs });
}

interface Explanation {
  message: string;
  hint: string;
}

function explain(error: unknown, address: string, collection: string): Explanation {
  if (error instanceof QdrantAnswerError) return explainAnswer(error, address, collection);
  if (error instanceof AnswerTooLongError) {
    const message = `Qdrant at ${address} sent more than ${megabytes(error.limit)}, the limit of the request`;
    return { message, hint: OTHER_SERVER };
  }
  const timedOut = error instanceof DOMException && error.name === 'TimeoutError';
  const reason = timedOut ? 'it did not answer in time' : networkReason(error);
  return { message: `cannot reach Qdrant at ${address}: ${reason}`, hint: networkHint(reason) };
}

function networkHint(reason: string): string {
  if (/certificate/i.test(reason))
    return 'Check QDRANT_URL. If the certificate is self-signed or from a private CA, set NODE_EXTRA_CA_CERTS to the CA certificate file.';
  if (reason.startsWith('UND_ERR_SOCKET'))
    return 'Check QDRANT_URL: the server may expect https instead of http. Unsent changes are sent later.';
  return 'Check QDRANT_URL and the network; unsent changes are sent later.';
}

/** The collection and its server, for messages. */
export function placeOf(collection: string, address: string): string {
  return `the collection ${collection} in Qdrant at ${address}`;
}

/** For read-only handles, which do not create the collection. */
export function missingCollection(collection: string, address: string): SmartForkError {
  return new SmartForkError(
    'COLLECTION_MISSING',
    `the collection ${collection} does not exist yet in Qdrant at ${address}`,
    { hint: 'smart-fork index creates it.' },
  );
}

/** Whether the collection is missing, or has changed since the last check. */
export function isAboutCollection(error: unknown): boolean {
  return isMissingCollection(error) || isOtherShape(error) || isMissingIndex(error);
}

export function isMissingCollection(error: unknown): boolean {
  return isAnswer(error, 404, /Collection .{0,300} doesn't exist/);
}

/** Null if the collection is missing. */
export async function unlessMissing<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (isMissingCollection(error)) return null;
    throw error;
  }
}

/** Whether another machine deleted a point in the meantime. The operation on it and later ones were not applied. */
export function isMissingPoint(error: unknown): boolean {
  return isAnswer(error instanceof SmartForkError ? error.cause : error, 404, /No point with id/);
}

/** Whether the collection was created for other vectors. */
export function isOtherShape(error: unknown): boolean {
  return isAnswer(error, 400, /Vector dimension error|Not existing vector name/i);
}

/** In strict mode a filter needs an index on its field. Our collections have all indexes. */
function isMissingIndex(error: unknown): boolean {
  return isAnswer(error, 400, /Index required but not found/i);
}

/**
 * Whether the server's embedding service may have refused. Its errors look like the server's own, so a bad request counts
 * too: if the request itself is at fault, it fails again without texts to embed.
 */
export function isServiceRefusal(error: unknown): error is SmartForkError {
  if (!(error instanceof SmartForkError)) return false;
  const answer = error.cause;
  if (!(answer instanceof QdrantAnswerError) || answer.status === 429) return false;
  return /inference/i.test(answer.message) || [400, 402, 422].includes(answer.status);
}

export function isForbidden(error: unknown): boolean {
  return error instanceof QdrantAnswerError && error.status === 403;
}

function isAnswer(error: unknown, status: number, message: RegExp): boolean {
  return error instanceof QdrantAnswerError && error.status === status && message.test(error.message);
}

function explainAnswer(error: QdrantAnswerError, address: string, collection: string): Explanation {
  const { status, message: detail } = error;
  if (isMissingCollection(error)) {
    return {
      message: `the collection ${collection} no longer exists in Qdrant at ${address}`,
      hint: 'Run smart-fork index: it creates the collection again, and each machine fills it from its own transcripts.',
    };
  }
  if (isOtherShape(error)) {
    return {
      message: `the collection ${collection} at ${address} was made for other vectors: ${detail}`,
      hint: 'Set QDRANT_COLLECTION to another name, or use the model that the collection was made for.',
    };
  }
  if (status >= 300 && status < 400) {
    return {
      message: `${address} redirects to ${detail}: nothing was sent there`,
      hint: 'If that is your server, set QDRANT_URL to it, with its port unless that is 6333 (:443 for https).',
    };
  }
  if (status < 300)
    return { message: `${address} does not answer as Qdrant does: ${detail}`, hint: OTHER_SERVER };
  const known = REFUSALS[status];
  if (known !== undefined) return { message: known.message(address, detail), hint: known.hint };
  return {
    message: withReason(`Qdrant at ${address} failed (status ${status})`, detail),
    hint:
      status >= 500
        ? 'Try again later, or check the server’s log.'
        : 'Run smart-fork doctor to see what is wrong.',
  };
}

const OTHER_SERVER = 'Check QDRANT_URL: another program may be listening there, or the server is broken.';

const REFUSALS: Record<number, { message: (address: string, detail: string) => string; hint: string }> = {
  401: {
    message: (address) => `Qdrant at ${address} rejects the API key`,
    hint: 'Check QDRANT_API_KEY: a key is valid for one cluster only.',
  },
  403: {
    message: (address, detail) => withReason(`the API key is read-only for Qdrant at ${address}`, detail),
    hint: 'Searching works with this key. To index from this machine, set QDRANT_API_KEY to a key that may write.',
  },
  429: {
    message: (address) => `Qdrant at ${address} is rate limiting requests`,
    hint: 'Wait a little and try again; unsent changes are sent later.',
  },
};

/** Some servers and proxies send only a status. */
function withReason(message: string, detail: string): string {
  const reason = detail.replace(/^[\s:]+|(?<![\s:])[\s:]+$/g, '');
  return reason === '' ? message : `${message}: ${reason}`;
}

/** `fetch failed` says nothing; its cause does. */
function networkReason(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof Error) {
    const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
    const parts = cause.message.includes(code) ? [cause.message] : [code, cause.message];
    return parts.filter(Boolean).join(' ') || errorText(error);
  }
  return errorText(error);
}
