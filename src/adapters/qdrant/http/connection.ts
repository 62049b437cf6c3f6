import { SmartForkError } from '../../../domain/errors.ts';
import type { KnownCollection } from '../../../ports/outbox.ts';
import { prepareCollection, wantedShape } from '../collection/prepare-collection.ts';
import { askSeal, placeOf, settleSeal } from '../collection/settle-seal.ts';
import type { QdrantOptions } from '../options.ts';
import { denseSize } from '../schema/collection-shape.ts';
import type { Filter, PointRecord, QueryRequest, Schemas, ScoredPoint, UpdateOperation } from '../types.ts';
import { describeQdrantError, isMissingCollection, isOtherShape, missingCollection } from './errors.ts';
import { readVersion, type ServerVersion } from './server-version.ts';
import { createTransport, type RequestKind, type Transport, toJson } from './transport.ts';

/** Requests to one collection, which is looked at, and made if need be (see QdrantOptions), before the first of them. */
export interface Connection {
  /** The server's, for messages. */
  address: string;
  /** The collection and its server, for messages. */
  place: string;
  /** The key that this handle's texts are sealed with; null for plain ones. */
  seal: string | null;
  /** What the server is; unknown versions count as new ones. */
  version(): Promise<ServerVersion>;
  /** Size of the vectors that the collection takes, as it is now. */
  dimensions(): Promise<number | null>;
  /** Points that are there, in no particular order. */
  retrieve(ids: string[], payload: PayloadSelection, vectors?: string[]): Promise<PointRecord[]>;
  scroll(request: Schemas['ScrollRequest']): Promise<{ points: PointRecord[]; next_page_offset?: unknown }>;
  count(filter: Filter): Promise<number>;
  facet(key: string, filter: Filter): Promise<{ value: string; count: number }[]>;
  queryBatch(searches: QueryRequest[]): Promise<ScoredPoint[][]>;
  /** Requests that do not wait for the look at the collection. Who makes them looks at its record in the answer … */
  atOnce: Pick<Connection, 'queryBatch' | 'facet'>;
  /** … and says that it may be read. Whoever writes looks at it all the same. */
  trust(): void;
  /** Reads that a collection which is remembered answers before it is looked at; its record is to be among what is read. */
  first: Pick<Connection, 'retrieve' | 'scroll'>;
  /** The store whose record was read: one that is remembered is not looked at again, another one is remembered once it was. */
  recognise(storeId: string): void;
  /**
   * `points`: JSON of each. Waits until they are searchable. Points that are there and do not pass `over` are left alone, by
   * servers that have conditions.
   */
  upsert(points: string[], over?: Filter): Promise<void>;
  updateVectors(request: Schemas['UpdateVectors']): Promise<void>;
  /** Applied one after the other; a failure leaves what came before it. */
  update(operations: UpdateOperation[]): Promise<void>;
  /** The same with JSON of each. */
  apply(operations: string[]): Promise<void>;
  deletePoints(filter: Filter): Promise<void>;
  close(): void;
}

export type PayloadSelection = boolean | string[] | { exclude: string[] };

/** Ids that one request asks for. */
const MOST_IDS = 500;
/** Searches in one request. */
const MOST_SEARCHES = 100;
const MOST_FACETS = 10_000;

export function openConnection(options: QdrantOptions): Connection {
  const transport = createTransport(options);
  const base = `/collections/${encodeURIComponent(options.collection)}`;
  let prepared: Promise<ServerVersion> | null = null;
  let trusted = false;
  let closed = false;
  /** What it was found to be: now, or by an earlier process and confirmed by its record. */
  let found: ServerVersion | null = null;
  const shape = wantedShape(options);
  const remembered = (): KnownCollection | null => {
    const known = options.memory?.recall() ?? null;
    return known?.shape === shape ? known : null;
  };

  const prepare = (): Promise<ServerVersion> => {
    prepared ??= prepareSealed(transport, options).then(
      (version) => {
        found = version;
        return version;
      },
      (error: unknown) => {
        prepared = null;
        throw error;
      },
    );
    return prepared;
  };
  const guard = async <T>(work: () => Promise<T>): Promise<T> => {
    if (closed) throw new SmartForkError('STORE_UNAVAILABLE', 'the connection to Qdrant was closed');
    try {
      return await work();
    } catch (error) {
      if (isMissingCollection(error) || isOtherShape(error)) {
        prepared = null;
        found = null;
        trusted = false;
      }
      if (isMissingCollection(error) && options.readOnly === true)
        throw missingCollection(options.collection, transport.address);
      throw describeQdrantError(error, transport.address, options.collection);
    }
  };
  const request = <T>(kind: RequestKind, method: string, path: string, body: unknown): Promise<T> =>
    guard(async () => {
      if (found === null && (kind === 'write' || !trusted)) await prepare();
      return transport.request<T>(kind, method, `${base}${path}`, body);
    });

  const atOnce: Request = (kind, method, path, body) =>
    guard(() => transport.request(kind, method, `${base}${path}`, body));

  /** One that is gone is made anew. */
  const first: Request = async (...asked) => {
    if (found !== null || remembered() === null) return request(...asked);
    try {
      return await atOnce(...asked);
    } catch (error) {
      if (error instanceof SmartForkError && isMissingCollection(error.cause)) return request(...asked);
      throw error;
    }
  };

  return {
    address: transport.address,
    place: placeOf(transport, options),
    seal: options.seal ?? null,
    version: () => guard(async () => found ?? prepare()),
    dimensions: async () => denseSize(await request<Schemas['CollectionInfo']>('read', 'GET', '', undefined)),
    ...readingOf(request),
    atOnce: readingOf(atOnce),
    trust: () => {
      trusted = true;
    },
    first: readingOf(first),
    recognise: (storeId) => {
      const known = remembered();
      if (found !== null) {
        const now = { storeId, version: found.text, shape };
        if (known?.storeId !== storeId || known.version !== found.text) options.memory?.remember(now);
      } else if (known?.storeId === storeId) found = readVersion(known.version, transport.address);
    },
    ...writingOf(request),
    close: () => {
      closed = true;
      transport.close();
    },
  };
}

/** The seal is asked for together with all the rest: a search must not wait for one more answer. */
async function prepareSealed(transport: Transport, options: QdrantOptions): Promise<ServerVersion> {
  const stored = askSeal(transport, options.collection);
  const [version] = await Promise.all([prepareCollection(transport, options), stored]);
  await settleSeal(transport, options, await stored);
  return version;
}

type Request = <T>(kind: RequestKind, method: string, path: string, body: unknown) => Promise<T>;

function readingOf(
  request: Request,
): Pick<Connection, 'retrieve' | 'scroll' | 'count' | 'facet' | 'queryBatch'> {
  const post = <T>(path: string, body: unknown) => request<T>('read', 'POST', path, body);
  return {
    retrieve: async (ids, payload, vectors) => {
      const parts = chunksOf([...new Set(ids)], MOST_IDS).map((some) =>
        post<PointRecord[]>('/points', { ids: some, with_payload: payload, with_vector: vectors ?? false }),
      );
      return (await Promise.all(parts)).flat();
    },
    scroll: (body) => post('/points/scroll', body),
    count: async (filter) => (await post<{ count: number }>('/points/count', { filter, exact: true })).count,
    facet: async (key, filter) => {
      const { hits } = await post<Schemas['FacetResponse']>('/facet', {
        key,
        filter,
        limit: MOST_FACETS,
        exact: true,
      });
      return hits.map(({ value, count }) => ({ value: String(value), count }));
    },
    queryBatch: async (searches) => {
      const parts = chunksOf(searches, MOST_SEARCHES).map((some) =>
        post<{ points: ScoredPoint[] }[]>('/points/query/batch', { searches: some }),
      );
      return (await Promise.all(parts)).flat().map(({ points }) => points);
    },
  };
}

function writingOf(
  request: Request,
): Pick<Connection, 'upsert' | 'updateVectors' | 'update' | 'apply' | 'deletePoints'> {
  return {
    upsert: async (points, over) => {
      const condition = over === undefined ? '' : `,"update_filter":${toJson(over)}`;
      const json = `{"points":[${points.join(',')}]${condition}}`;
      await request('write', 'PUT', '/points?wait=true', { json });
    },
    updateVectors: async (body) => {
      await request('write', 'PUT', '/points/vectors?wait=true', body);
    },
    apply: async (operations) => {
      await request('write', 'POST', '/points/batch?wait=true', {
        json: `{"operations":[${operations.join(',')}]}`,
      });
    },
    update: async (operations) => {
      await request('write', 'POST', '/points/batch?wait=true', { operations });
    },
    deletePoints: async (filter) => {
      await request('write', 'POST', '/points/delete?wait=true', { filter });
    },
  };
}

export function chunksOf<T>(items: T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) =>
    items.slice(at * size, (at + 1) * size),
  );
}
