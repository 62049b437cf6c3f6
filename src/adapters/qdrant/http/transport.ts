import { setMaxListeners } from 'node:events';
import { readLimited } from '../../http/read-limited.ts';
import { withDeadline } from '../../http/with-deadline.ts';
import { DEFAULT_RETRIES, DEFAULT_TIMEOUTS, type QdrantOptions } from '../options.ts';
import { unexpected } from './check-answer.ts';
import { AnswerTooLongError, QdrantAnswerError, withRetries } from './retry.ts';
import { cleanApiKey, serverAddress } from './server-address.ts';

export type RequestKind = 'read' | 'write';

/** HTTP to one server. */
export interface Transport {
  /** The server's URL, for messages. */
  address: string;
  /**
   * Resolves to the `result` in the answer. `body`: a value, or ReadyJson. `limit`: maximum size of the answer in bytes.
   * @throws QdrantAnswerError, AnswerTooLongError, or what `fetch` throws, after the last retry.
   */
  request(kind: RequestKind, method: string, path: string, body?: unknown, limit?: number): Promise<unknown>;
  /** Aborts the requests in flight. */
  close(): void;
}

type ReadyJson = { readonly json: string };

/** Maximum size of an answer without points, in bytes: to a write, a count, or a request about the collection. */
const SHORT_ANSWER_BYTES = 1024 * 1024;
/** How many bytes of an error's answer are read. */
const ERROR_BYTES = 64 * 1024;

/** Plain `fetch`: docs/qdrant.md (Limits) says why the official client is used for its types only. */
export function createTransport(
  options: Pick<QdrantOptions, 'url' | 'apiKey' | 'timeouts' | 'retries'>,
): Transport {
  const address = serverAddress(options.url);
  const apiKey = cleanApiKey(options.apiKey);
  const headers = headersFor(apiKey);
  const timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts };
  const settings = { ...DEFAULT_RETRIES, ...options.retries };
  const closing = new AbortController();
  // Every request in flight adds a listener.
  setMaxListeners(0, closing.signal);

  return {
    address,
    request: (
      kind: RequestKind,
      method: string,
      path: string,
      body?: unknown,
      limit = SHORT_ANSWER_BYTES,
    ) => {
      const isRead = kind === 'read';
      const deadline = isRead ? performance.now() + timeouts.read : Number.POSITIVE_INFINITY;
      const text = body === undefined ? undefined : isReady(body) ? body.json : toJson(body);
      const attempt = () => {
        const left = isRead ? Math.max(1, deadline - performance.now()) : timeouts.write;
        const asked = withDeadline(Math.ceil(left), closing.signal, (signal) => {
          const init: RequestInit = {
            method,
            headers,
            signal,
            // The target of a redirect would receive the key and all texts.
            redirect: 'manual',
            ...(text !== undefined && { body: text }),
          };
          return send(`${address}${path}`, init, limit);
        });
        return asked.catch((error: unknown) => {
          throw withoutKey(error, apiKey);
        });
      };
      const retries = isRead ? settings.reads : settings.writes;
      return withRetries(attempt, { retries, settings, deadline, signal: closing.signal });
    },
    close: () => closing.abort(),
  };
}

/** JSON without lone surrogates: one makes the server refuse the whole batch. */
export function toJson(value: unknown): string {
  const json = JSON.stringify(value);
  return /\\ud[89a-f]/.test(json) ? JSON.stringify(value, wellFormed) : json;
}

function wellFormed(_: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed() : value;
}

function isReady(body: unknown): body is ReadyJson {
  return typeof body === 'object' && body !== null && 'json' in body && typeof body.json === 'string';
}

/** Compressed answers are streamed in small writes, which costs 40 ms each. */
function headersFor(apiKey: string | null): Record<string, string> {
  return {
    accept: 'application/json',
    'accept-encoding': 'identity',
    'content-type': 'application/json',
    ...(apiKey !== null && { 'api-key': apiKey }),
  };
}

async function send(url: string, init: RequestInit, limit: number): Promise<unknown> {
  const response = await fetch(url, init);
  const { status, headers, ok } = response;
  const { bytes, isWhole } = await readLimited(response.body, ok ? limit : ERROR_BYTES);
  if (ok && !isWhole) throw new AnswerTooLongError(limit);
  const text = bytes.toString();
  const answer = parse(text);
  if (status >= 300 && status < 400)
    throw new QdrantAnswerError(status, placeOf(headers.get('location'), url), null);
  if (!ok) throw new QdrantAnswerError(status, detailOf(answer, text), retryAfter(headers));
  if (typeof answer === 'object' && answer !== null) {
    if ('result' in answer) return answer.result;
    // The root does not wrap its answer.
    if ('version' in answer) return answer;
  }
  throw unexpected('JSON with a result');
}

/** The origin of a redirect's target: the rest may contain secrets. */
function placeOf(location: string | null, from: string): string {
  if (location === null || !URL.canParse(location, from)) return 'elsewhere';
  const { protocol, host } = new URL(location, from);
  return `${protocol}//${host}`;
}

/** Some proxies echo the request. */
function withoutKey(error: unknown, apiKey: string | null): unknown {
  if (apiKey === null || !(error instanceof QdrantAnswerError) || !error.message.includes(apiKey))
    return error;
  return new QdrantAnswerError(error.status, error.message.replaceAll(apiKey, '********'), error.retryAfter);
}

/** Null for plain text, such as the answer to a missing key. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function detailOf(answer: unknown, text: string): string {
  if (typeof answer === 'object' && answer !== null && 'status' in answer) {
    const { status } = answer;
    if (typeof status === 'object' && status !== null && 'error' in status)
      return String(status.error).slice(0, 500);
  }
  return text.slice(0, 200);
}

/** Seconds, or a date. */
function retryAfter(headers: Headers): number | null {
  const value = headers.get('retry-after');
  if (value === null) return null;
  const seconds = Number(value);
  const time = Number.isNaN(seconds) ? Date.parse(value) - Date.now() : seconds * 1000;
  return Number.isNaN(time) ? null : Math.max(0, time);
}
