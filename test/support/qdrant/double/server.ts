import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Fields, fieldsOf, formatError, listOf, Refusal } from './answer.ts';
import { Collection, readConfig } from './collection.ts';
import { embedDocuments, type InferenceService } from './inference.ts';
import type { PointId } from './points.ts';

/** A received request. */
export interface SeenRequest {
  method: string;
  /** Includes the query, but not the prefix. */
  path: string;
  body: unknown;
  headers: IncomingMessage['headers'];
}

/** A fault in a request, before or after the server has carried it out. */
export type Fault =
  | { answer: number; headers?: Record<string, string>; error?: string }
  | { cut: 'before' | 'after' }
  /** The server applies this many operations of a batch, then fails. */
  | { stop: number }
  /** The request is carried out once this settles. */
  | { wait: Promise<unknown> }
  | { delay: number };

export interface DoubleOptions {
  version?: string;
  /** If there are keys, only the root and /healthz answer without one. */
  keys?: { write: string; read?: string };
  /** Path prefix, as behind a proxy. */
  prefix?: string;
  /** New collections refuse filters on fields without an index, as on Qdrant Cloud. */
  strict?: boolean;
  /** Embeds texts sent in place of vectors. If absent, they are refused, as by a server without an embedding service. */
  inference?: InferenceService;
  tieOrder?: PointId[];
  /** Called with every request; a returned problem is answered with 400. */
  validate?: (request: SeenRequest) => string | null;
  fault?: (request: SeenRequest) => Fault | null;
}

export interface QdrantDouble {
  url: string;
  requests: SeenRequest[];
  collections: Map<string, Collection>;
  /** Tests may change these while the double runs. */
  options: DoubleOptions;
  /** Unfinished requests, whether or not a client is still waiting. */
  underWay(): number;
  close(): Promise<void>;
}

/** A server breaks the connection if a body is larger. */
const LARGEST_BODY = 32 * 1024 * 1024;

/** A small Qdrant on 127.0.0.1: exact, in memory, with the answers of a real 1.18. */
export async function startQdrantDouble(options: DoubleOptions = {}): Promise<QdrantDouble> {
  let underWay = 0;
  const double: QdrantDouble = {
    underWay: () => underWay,
    url: '',
    requests: [],
    collections: new Map(),
    options,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  const server = createServer((request, response) => {
    underWay += 1;
    answer(double, request, response)
      .catch((error: unknown) => send(response, 500, { status: { error: String(error) } }))
      .finally(() => {
        underWay -= 1;
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  double.url = `http://127.0.0.1:${port}${options.prefix ?? ''}`;
  return double;
}

async function answer(
  double: QdrantDouble,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const prefix = double.options.prefix ?? '';
  const url = request.url ?? '';
  const text = await readBody(request);
  if (text === null) return;
  if (!url.startsWith(`${prefix}/`)) return send(response, 404, '');
  const seen: SeenRequest = {
    method: request.method ?? '',
    path: url.slice(prefix.length),
    body: null,
    headers: request.headers,
  };
  const keyProblem = checkKey(double.options, seen);
  if (keyProblem !== null) return send(response, keyProblem.status, keyProblem.message);
  try {
    seen.body = text === '' ? null : parseBody(text);
  } catch (error) {
    return refuse(response, error);
  }
  double.requests.push(seen);
  const fault = double.options.fault?.(seen) ?? null;
  if (fault !== null && 'delay' in fault)
    await new Promise((resolve) => setTimeout(resolve, fault.delay).unref());
  if (fault !== null && 'wait' in fault) await fault.wait;
  if (fault !== null && 'stop' in fault) {
    const body = fieldsOf(seen.body);
    if (Array.isArray(body.operations))
      route(double, { ...seen, body: { ...body, operations: body.operations.slice(0, fault.stop) } });
    return send(response, 500, { status: { error: 'failed half-way' }, time: 0 });
  }
  if (fault !== null && 'cut' in fault && fault.cut === 'before') return void request.socket.destroy();
  if (fault !== null && 'answer' in fault) {
    for (const [name, value] of Object.entries(fault.headers ?? {})) response.setHeader(name, value);
    return send(response, fault.answer, { status: { error: fault.error ?? 'a fault' }, time: 0 });
  }
  const problem = double.options.validate?.(seen) ?? null;
  if (problem !== null)
    return send(response, 400, { status: { error: `does not fit the API: ${problem}` }, time: 0 });
  try {
    const result = route(double, seen);
    if (fault !== null && 'cut' in fault) return void request.socket.destroy();
    send(
      response,
      200,
      seen.path === '/' || typeof result === 'string' ? result : { result, status: 'ok', time: 0 },
    );
  } catch (error) {
    refuse(response, error);
  }
}

/** The body; null if it was too long and the connection was cut. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request) {
    length += part.length;
    if (length > LARGEST_BODY) {
      request.socket.destroy();
      return null;
    }
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function parseBody(text: string): unknown {
  const lone = /\\ud[89ab][\da-f]{2}(?!\\ud[c-f])|(?<!\\ud[89ab][\da-f]{2})\\ud[c-f][\da-f]{2}/i.exec(text);
  if (lone !== null) throw formatError(`unexpected end of hex escape at line 1 column ${lone.index}`);
  return JSON.parse(text);
}

function checkKey({ keys }: DoubleOptions, { path, headers }: SeenRequest): Refusal | null {
  if (keys === undefined || path === '/' || path === '/healthz') return null;
  const key = headers['api-key'];
  if (key === undefined) return new Refusal(401, 'Must provide an API key or an Authorization bearer token');
  if (key === keys.write) return null;
  if (keys.read === undefined || key !== keys.read) return new Refusal(401, 'Invalid API key or JWT');
  return null;
}

function mayWrite({ keys }: DoubleOptions, { headers }: SeenRequest): boolean {
  return keys === undefined || headers['api-key'] === keys.write;
}

function refuse(response: ServerResponse, error: unknown): void {
  const status = error instanceof Refusal ? error.status : 500;
  const text = error instanceof Error ? error.message : String(error);
  send(response, status, text === '' ? '' : { status: { error: text }, time: 0 });
}

function send(response: ServerResponse, status: number, body: unknown): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(status, {
    'content-type': typeof body === 'string' ? 'text/plain' : 'application/json',
  });
  response.end(text);
}

function route(double: QdrantDouble, seen: SeenRequest): unknown {
  const { version = '1.18.3', tieOrder } = double.options;
  const path = seen.path.replace(/\?.*$/, '');
  if (path === '/') return { title: 'qdrant - vector search engine', version, commit: 'double' };
  if (path === '/healthz') return 'healthz check passed';
  if (path === '/collections')
    return { collections: [...double.collections.keys()].map((name) => ({ name })) };
  const match = /^\/collections\/([^/]+)(\/.*)?$/.exec(path);
  if (match === null) throw new Refusal(404, '');
  const name = decodeURIComponent(match[1] ?? '');
  const call = `${seen.method} ${match[2] ?? ''}`;
  const collection = double.collections.get(name);
  if (call === 'GET /exists') return { exists: collection !== undefined };
  if (!READING.has(call) && !mayWrite(double.options, seen))
    throw new Refusal(403, 'Forbidden: Global manage access is required');
  if (call === 'PUT ') {
    if (collection !== undefined)
      throw new Refusal(409, `Wrong input: Collection \`${name}\` already exists!`);
    const strict_mode_config = {
      enabled: true,
      unindexed_filtering_retrieve: false,
      unindexed_filtering_update: false,
    };
    const config = {
      ...readConfig(seen.body),
      strict_mode_config: double.options.strict === true ? strict_mode_config : undefined,
    };
    double.collections.set(name, new Collection(name, config, tieOrder));
    return true;
  }
  if (call === 'DELETE ') return double.collections.delete(name);
  if (collection === undefined) throw new Refusal(404, `Not found: Collection \`${name}\` doesn't exist!`);
  const body = embedDocuments(double.options.inference, seen.body);
  return onCollection(collection, call, fieldsOf(body), seen.path.includes('wait=true'));
}

const READING = new Set([
  'GET ',
  'GET /exists',
  'GET /cluster',
  'POST /points',
  'POST /points/scroll',
  'POST /points/count',
  'POST /facet',
  'POST /points/query',
  'POST /points/query/batch',
  'POST /points/query/groups',
]);

function onCollection(collection: Collection, call: string, body: Fields, wait: boolean): unknown {
  const done = { operation_id: 0, status: wait ? 'completed' : 'acknowledged' };
  const reading: Record<string, () => unknown> = {
    'GET ': () => collection.info(),
    'GET /cluster': () => collection.cluster(),
    'PATCH ': () => collection.patch(body),
    'POST /points': () => collection.retrieve(body),
    'POST /points/scroll': () => collection.scroll(body),
    'POST /points/count': () => collection.count(body),
    'POST /facet': () => collection.facet(body),
    'POST /points/query': () => collection.query(body),
    'POST /points/query/batch': () => listOf(body.searches).map((one) => collection.query(fieldsOf(one))),
    'POST /points/query/groups': () => collection.queryGroups(body),
    'POST /points/batch': () =>
      listOf(body.operations).map((one) => applyOperation(collection, fieldsOf(one), done)),
  };
  const read = reading[call];
  if (read !== undefined) return read();
  const writing: Record<string, () => void> = {
    'PUT /index': () => collection.createIndex(body),
    'PUT /points': () => collection.upsert(body),
    'PUT /points/vectors': () => collection.updateVectors(body),
    'POST /points/vectors/delete': () => collection.deleteVectors(body),
    'POST /points/payload': () => collection.setPayload(body),
    'PUT /points/payload': () => collection.overwritePayload(body),
    'POST /points/delete': () => collection.delete(body),
  };
  const write = writing[call];
  if (write === undefined) throw new Refusal(404, '');
  write();
  return done;
}

function applyOperation(collection: Collection, operation: Fields, done: Fields): Fields {
  const { upsert, update_vectors, delete_vectors, set_payload, overwrite_payload } = operation;
  if (upsert !== undefined) collection.upsert(fieldsOf(upsert));
  else if (update_vectors !== undefined) collection.updateVectors(fieldsOf(update_vectors));
  else if (delete_vectors !== undefined) collection.deleteVectors(fieldsOf(delete_vectors));
  else if (set_payload !== undefined) collection.setPayload(fieldsOf(set_payload));
  else if (overwrite_payload !== undefined) collection.overwritePayload(fieldsOf(overwrite_payload));
  else if (operation.delete !== undefined) collection.delete(fieldsOf(operation.delete));
  else throw formatError('data did not match any variant of untagged enum UpdateOperation');
  return done;
}
