import { setMaxListeners } from 'node:events';
import { QdrantClient } from '@qdrant/js-client-rest';
import { withDeadline } from '../../http/with-deadline.ts';
import { DEFAULT_RETRIES, DEFAULT_TIMEOUTS, type QdrantOptions } from '../options.ts';
import { dispatcherWithin } from './dispatcher-within.ts';
import { failureOf, resultOf } from './read-response.ts';
import { withRetries } from './retry.ts';
import { cleanApiKey, serverAddress } from './server-address.ts';

type Api = ReturnType<QdrantClient['api']>;
type Operation = keyof Api;
type WithoutName<T> = T extends unknown ? Omit<T, 'collection_name'> : never;
type Body<O extends Operation> = WithoutName<Parameters<Api[O]>[0]>;

/**
 * Requests to one collection on a server, by the names of the client's functions.
 * @throws QdrantAnswerError, AnswerTooLongError, or what `fetch` throws, after the last retry.
 */
export interface Server {
  /** The server's URL, for messages. */
  address: string;
  /** `check` reads the `result` in the answer. `limit`: maximum size of the answer in bytes. */
  read<O extends Operation, T>(
    operation: O,
    body: Body<O>,
    check: (result: unknown) => T,
    limit?: number,
  ): Promise<T>;
  write<O extends Operation>(operation: O, body: Body<O>): Promise<void>;
  /** The server's description of itself. */
  root(): Promise<unknown>;
  /** Aborts the requests in flight. */
  close(): void;
}

/** Maximum size of an answer without points, in bytes: to a write, a count, or a request about the collection. */
const SHORT_ANSWER_BYTES = 1024 * 1024;

/**
 * Sends with Qdrant's client: with the functions made of the server's API description, which accept a signal, a dispatcher and what to do
 * with redirects. The client's methods do not. @throws SmartForkError CONFIG_INVALID for a malformed URL or key.
 */
export function openServer(
  options: Pick<QdrantOptions, 'url' | 'apiKey' | 'collection' | 'timeouts' | 'retries'>,
): Server {
  const address = serverAddress(options.url);
  const apiKey = cleanApiKey(options.apiKey);
  const api = createClient(address, apiKey).api();
  const timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts };
  const settings = { ...DEFAULT_RETRIES, ...options.retries };
  const named = { collection_name: options.collection };
  const closing = new AbortController();
  // Every request in flight adds a listener.
  setMaxListeners(0, closing.signal);

  const ask = (kind: 'read' | 'write', operation: Operation, body: object, limit = SHORT_ANSWER_BYTES) => {
    const isRead = kind === 'read';
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
    read: async (operation, body, check, limit) =>
      check(await ask('read', operation, { ...named, ...body }, limit)),
    write: async (operation, body) => {
      await ask('write', operation, { ...named, ...body });
    },
    root: () => ask('read', 'root', {}),
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
  if (isWellFormed(body)) return body;
  const replace = (_: string, value: unknown) => (typeof value === 'string' ? value.toWellFormed() : value);
  return JSON.parse(JSON.stringify(body, replace));
}

function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  return typeof value !== 'object' || value === null || Object.values(value).every(isWellFormed);
}
