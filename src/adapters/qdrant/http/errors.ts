import { errorText, SmartForkError } from '../../../domain/errors.ts';
import { QdrantAnswerError } from './retry.ts';

/** Turns what a request threw into an error that says what failed and what to do. Never holds a key: none is put in. */
export function describeQdrantError(error: unknown, address: string, collection: string): SmartForkError {
  if (error instanceof SmartForkError) return error;
  if (error instanceof QdrantAnswerError) return describeAnswer(error, address, collection);
  const timedOut = error instanceof DOMException && error.name === 'TimeoutError';
  const reason = timedOut ? 'it did not answer in time' : networkReason(error);
  return new SmartForkError('STORE_UNAVAILABLE', `cannot reach Qdrant at ${address}: ${reason}`, {
    hint: 'Check QDRANT_URL and the network; what was not sent is sent later.',
    cause: error,
  });
}

export function isMissingCollection(error: unknown): boolean {
  return (
    error instanceof QdrantAnswerError &&
    error.status === 404 &&
    /Collection .* doesn't exist/.test(error.message)
  );
}

/** To a reader, who does not make it. */
export function missingCollection(collection: string, address: string): SmartForkError {
  return new SmartForkError(
    'COLLECTION_MISSING',
    `the collection ${collection} is not there yet in Qdrant at ${address}`,
    { hint: 'smart-fork index makes it.' },
  );
}

/** Another machine deleted a point that was just there; the request did nothing from there on. */
export function isMissingPoint(error: unknown): boolean {
  const answer = error instanceof SmartForkError ? error.cause : error;
  return (
    answer instanceof QdrantAnswerError && answer.status === 404 && /No point with id/.test(answer.message)
  );
}

/** The collection is there, and made for something else than a moment ago. */
export function isOtherShape(error: unknown): boolean {
  return (
    error instanceof QdrantAnswerError &&
    error.status === 400 &&
    /Vector dimension error|Not existing vector name/i.test(error.message)
  );
}

/** In strict mode a field that is filtered by must have an index: a collection of ours has all of them. */
export function isMissingIndex(error: unknown): boolean {
  return (
    error instanceof QdrantAnswerError &&
    error.status === 400 &&
    /Index required but not found/i.test(error.message)
  );
}

/**
 * Whether it may be the server's embedding service that refuses. It answers in the server's name and says so in words; not
 * everywhere, so that what is wrong with a request counts too: sent again without texts to embed, it shows.
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

function describeAnswer(error: QdrantAnswerError, address: string, collection: string): SmartForkError {
  const { message, hint } = explain(error, address, collection);
  const code = isOtherShape(error) ? 'STORE_INCOMPATIBLE' : 'STORE_UNAVAILABLE';
  const { retryAfter } = error;
  return new SmartForkError(code, message, {
    hint,
    cause: error,
    ...(retryAfter !== null && { retryAfterMs: retryAfter }),
  });
}

function explain(
  error: QdrantAnswerError,
  address: string,
  collection: string,
): { message: string; hint: string } {
  const { status, message: detail } = error;
  if (isMissingCollection(error)) {
    return {
      message: `the collection ${collection} is gone from Qdrant at ${address}`,
      hint: 'Run smart-fork index: it is made again and filled from the transcripts of each machine.',
    };
  }
  if (isOtherShape(error)) {
    return {
      message: `the collection ${collection} at ${address} was made for something else: ${detail}`,
      hint: 'Set QDRANT_COLLECTION to another name, or use the model that the collection was made for.',
    };
  }
  if (status >= 300 && status < 400) {
    return {
      message: `${address} sends requests on to ${detail}: nothing was sent there`,
      hint: `If that is your server, set QDRANT_URL to it; with a port other than 6333, name it (:443 for https).`,
    };
  }
  const known = REFUSALS[status];
  if (known !== undefined) return { message: known.message(address, detail), hint: known.hint };
  return {
    message: withReason(`Qdrant at ${address} failed (status ${status})`, detail),
    hint:
      status >= 500
        ? 'Try again later; look at the server’s log.'
        : 'Run smart-fork doctor to see what is wrong.',
  };
}

const REFUSALS: Record<number, { message: (address: string, detail: string) => string; hint: string }> = {
  401: {
    message: (address) => `Qdrant at ${address} refuses the API key`,
    hint: 'Check QDRANT_API_KEY; a key belongs to one cluster.',
  },
  403: {
    message: (address, detail) => withReason(`the API key may only read from Qdrant at ${address}`, detail),
    hint: 'Searching works with this key. To index from this machine, set QDRANT_API_KEY to one that may write.',
  },
  429: {
    message: (address) => `Qdrant at ${address} is asked too often`,
    hint: 'Wait a little and try again; what was not sent is sent later.',
  },
};

/** Some servers, and what stands before them, answer with a status alone. */
function withReason(message: string, detail: string): string {
  const reason = detail.replace(/^[\s:]+|[\s:]+$/g, '');
  return reason === '' ? message : `${message}: ${reason}`;
}

/** `fetch failed` says nothing; what made it fail is below. */
function networkReason(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof Error) {
    const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
    const parts = cause.message.includes(code) ? [cause.message] : [code, cause.message];
    return parts.filter(Boolean).join(' ') || errorText(error);
  }
  return errorText(error);
}
