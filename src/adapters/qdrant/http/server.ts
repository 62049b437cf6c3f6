import { setMaxListeners } from 'node:events';
import { QdrantClient } from '@qdrant/js-client-rest';
import { withDeadline } from '../../http/with-deadline.ts';
import { DEFAULT_RETRIES, DEFAULT_TIMEOUTS, type QdrantOptions } from '../options.ts';
import { dispatcherWithin } from './dispatcher-within.ts';
import { failureOf, resultOf } from './read-response.ts';
import { withRetries } from './retry.ts';
import { cleanApiKey, serverAddress } from './server-address.ts';

type Api = ReturnType<QdrantClient['api']>;

/** The client's requests that are used. */
const KINDS = {
  root: 'read',
  getCollection: 'read',
  collectionClusterInfo: 'read',
  getPoints: 'read',
  scrollPoints: 'read',
  countPoints: 'read',
  facet: 'read',
  queryBatchPoints: 'read',
  createCollection: 'write',
  createFieldIndex: 'write',
  upsertPoints: 'write',
  updateVectors: 'write',
  batchUpdate: 'write',
  deletePoints: 'write',
} as const satisfies Partial<Record<keyof Api, 'read' | 'write'>>;

type Operation = keyof typeof KINDS;
type Arguments<O extends Operation> = Parameters<Api[O]>[0];
type WithoutName<T> = T extends unknown ? Omit<T, 'collection_name'> : never;

/**
 * A request about the collection. `read` checks the `result` in the answer. `limit`: maximum size of the answer in bytes.
 * @throws QdrantAnswerError, AnswerTooLongError, or what `fetch` throws, after the last retry.
 */
export type Request = <O extends Operation, T>(
  operation: O,
  body: WithoutName<Arguments<O>>,
  read: (result: unknown) => T,
  limit?: number,
) => Promise<T>;

/** One collection on a server. */
export interface Server {
  /** The server's URL, for messages. */
  address: string;
  request: Request;
  /** The server's description of itself. */
  root(): Promise<unknown>;
  /** Aborts the requests in flight. */
  close(): void;
}

/** Maximum size of an answer without points, in bytes: to a write, a count, or a request about the collection. */
const SHORT_ANSWER_BYTES = 1024 * 1024;

/**
 * Sends requests with Qdrant's client, through the functions made of its API description: they accept what each request needs,
 * its methods do not. @throws SmartForkError CONFIG_INVALID for a malformed URL or key.
 */
export function openServer(
  options: Pick<QdrantOptions, 'url' | 'apiKey' | 'collection' | 'timeouts' | 'retries'>,
): Server {
  const address = serverAddress(options.url);
  const apiKey = cleanApiKey(options.apiKey);
  const api = createClient(address, apiKey).api();
  const timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts };
  const settings = { ...DEFAULT_RETRIES, ...options.retries };
  const closing = new AbortController();
  // Every request in flight adds a listener.
  setMaxListeners(0, closing.signal);

  const ask = (operation: Operation, body: object, limit = SHORT_ANSWER_BYTES): Promise<unknown> => {
    const isRead = KINDS[operation] === 'read';
    const deadline = isRead ? performance.now() + timeouts.read : Number.POSITIVE_INFINITY;
    const send = api[operation] as (body: unknown, init: RequestInit) => Promise<{ data: unknown }>;
    const wellFormed = toWellFormed(body);
    const attempt = async () => {
      const left = isRead ? Math.max(1, deadline - performance.now()) : timeouts.write;
      try {
        return await withDeadline(Math.ceil(left), closing.signal, async (signal) => {
          // The target of a redirect would receive the key and all texts.
          const init: RequestInit = { signal, redirect: 'manual', dispatcher: dispatcherWithin(limit) };
          return resultOf((await send(wellFormed, init)).data);
        });
      } catch (error) {
        throw failureOf(error, apiKey);
      }
    };
    const retries = isRead ? settings.reads : settings.writes;
    return withRetries(attempt, { retries, settings, deadline, signal: closing.signal });
  };
  return {
    address,
    request: async (operation, body, read, limit) =>
      read(await ask(operation, { collection_name: options.collection, ...body }, limit)),
    root: () => ask('root', {}),
    close: () => closing.abort(),
  };
}

function createClient(address: string, apiKey: string | null): QdrantClient {
  const { protocol, hostname, port, pathname } = new URL(address);
  return new QdrantClient({
    https: protocol === 'https:',
    host: hostname,
    port: port === '' ? null : Number(port),
    prefix: pathname === '/' ? '' : pathname,
    // Compressed answers are streamed in small writes, which costs 40 ms each. With `apiKey`, the client warns about http on stderr.
    headers: { 'accept-encoding': 'identity', 'api-key': apiKey ?? undefined },
    // Each request has its own.
    timeout: Number.POSITIVE_INFINITY,
    // Would send a request at once, and print to stderr.
    checkCompatibility: false,
  });
}

/** Replaces lone surrogates: one makes the server refuse the whole batch. */
function toWellFormed(body: object): unknown {
  const json = JSON.stringify(body);
  if (!/\\ud[89a-f]/.test(json)) return body;
  return JSON.parse(json, (_, value: unknown) => (typeof value === 'string' ? value.toWellFormed() : value));
}
