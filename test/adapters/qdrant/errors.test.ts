import { expect, it } from 'vitest';
import { describeQdrantError } from '../../../src/adapters/qdrant/http/errors.ts';
import { QdrantAnswerError } from '../../../src/adapters/qdrant/http/retry.ts';

const ADDRESS = 'http://127.0.0.1:6333';

function failedFetch(message: string, code?: string): TypeError {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(message), code && { code }) });
}

it.each([
  [new QdrantAnswerError(404, '', null), `Qdrant at ${ADDRESS} failed (status 404)`],
  [new QdrantAnswerError(404, ' :\n', null), `Qdrant at ${ADDRESS} failed (status 404)`],
  [new QdrantAnswerError(404, 'Not found', null), `Qdrant at ${ADDRESS} failed (status 404): Not found`],
  [new QdrantAnswerError(403, '', null), `the API key is read-only for Qdrant at ${ADDRESS}`],
  [
    failedFetch('connect ECONNREFUSED 127.0.0.1:6333', 'ECONNREFUSED'),
    `cannot reach Qdrant at ${ADDRESS}: connect ECONNREFUSED 127.0.0.1:6333`,
  ],
  [failedFetch('', 'ECONNREFUSED'), `cannot reach Qdrant at ${ADDRESS}: ECONNREFUSED`],
  [
    failedFetch('other side closed', 'UND_ERR_SOCKET'),
    `cannot reach Qdrant at ${ADDRESS}: UND_ERR_SOCKET other side closed`,
  ],
  [failedFetch(''), `cannot reach Qdrant at ${ADDRESS}: fetch failed`],
])('describes an error without repetitions and empty parts: %s', (error, message) => {
  expect(describeQdrantError(error, ADDRESS, 'claude_sessions').message).toBe(message);
});
