import { QdrantClientUnexpectedResponseError } from '@qdrant/js-client-rest';
import { isRecord } from '../../../domain/is-record.ts';
import { unexpected } from './check-answer.ts';
import { RATE_LIMITED } from './dispatcher-within.ts';
import { AnswerTooLongError, QdrantAnswerError } from './retry.ts';

/** The `result` in an answer. The root does not wrap its answer. */
export function resultOf(data: unknown): unknown {
  if (isRecord(data) && 'result' in data) return data.result;
  if (isRecord(data) && 'version' in data) return data;
  throw unexpected('JSON with a result');
}

/** What to throw for an error of the client. Errors of the network stay as they are. */
export function failureOf(error: unknown, apiKey: string | null): unknown {
  const cause = error instanceof Error ? error.cause : null;
  if (cause instanceof AnswerTooLongError || cause instanceof QdrantAnswerError) return cause;
  const isNoJson = error instanceof SyntaxError || error instanceof QdrantClientUnexpectedResponseError;
  if (isNoJson) return unexpected('JSON with a result');
  if (!isResponse(error)) return error;
  const { status, headers, url, data } = error;
  if (status >= 300 && status < 400)
    return new QdrantAnswerError(status, originOf(headers.get('location'), url), null);
  const detail = detailOf(data);
  return new QdrantAnswerError(
    status === RATE_LIMITED ? 429 : status,
    // Some proxies echo the request.
    apiKey === null ? detail : detail.replaceAll(apiKey, '********'),
    retryAfter(headers),
  );
}

interface ErrorResponse {
  status: number;
  headers: Headers;
  url: string;
  data: unknown;
}

/** The client does not export the class of these errors. */
function isResponse(error: unknown): error is ErrorResponse {
  return (
    error instanceof Error && 'status' in error && 'headers' in error && error.headers instanceof Headers
  );
}

/** The origin of a redirect's target: the rest may contain secrets. */
function originOf(location: string | null, from: string): string {
  if (location === null || !URL.canParse(location, from)) return 'elsewhere';
  const { protocol, host } = new URL(location, from);
  return `${protocol}//${host}`;
}

function detailOf(data: unknown): string {
  if (isRecord(data) && isRecord(data.status) && 'error' in data.status)
    return String(data.status.error).slice(0, 500);
  return (typeof data === 'string' ? data : JSON.stringify(data)).slice(0, 200);
}

/** Seconds, or a date. */
function retryAfter(headers: Headers): number | null {
  const value = headers.get('retry-after');
  if (value === null) return null;
  const seconds = Number(value);
  const time = Number.isNaN(seconds) ? Date.parse(value) - Date.now() : seconds * 1000;
  return Number.isNaN(time) ? null : Math.max(0, time);
}
