import { SmartForkError } from '../../../domain/errors.ts';
import type { QdrantOptions } from '../options.ts';
import type { Filter, PointRecord, QueryRequest, Schemas, ScoredPoint, UpdateOperation } from '../types.ts';
import {
  describeQdrantError,
  isAboutCollection,
  isMissingCollection,
  missingCollection,
  placeOf,
} from './errors.ts';
import { type RequestKind, type Transport, toJson } from './transport.ts';

/** Requests to one collection. The first one checks it, and creates it if it is missing (see QdrantOptions.readOnly). */
export interface Connection extends Reads {
  /** The server's address, for messages. */
  address: string;
  /** The collection and its server, for messages. */
  place: string;
  /** Id of the key that seals this handle's texts; null for plain texts. */
  seal: string | null;
  /** Checks the collection once per handle. Resolves to the server's version; null if the server hides it. */
  check(): Promise<string | null>;
  /** The collection as the server describes it. */
  info(): Promise<Schemas['CollectionInfo']>;
  /**
   * Reads before the check, and again after it if the server's answer shows that the collection is missing or different. The
   * read must include the store's record, which says whether the collection needs a check (see collection/record.ts).
   */
  first<T>(ask: (reads: Reads) => Promise<T>): Promise<T>;
  /** Skips the check from now on: the record says that it is not needed. */
  trust(): void;
  /**
   * `points`: the JSON of each. Resolves once they can be searched. Overwrites only existing points that match `over`.
   */
  upsert(points: string[], over?: Filter): Promise<void>;
  updateVectors(request: Schemas['UpdateVectors']): Promise<void>;
  /** Applies the operations in order. After a failure, those before it stay applied. */
  update(operations: UpdateOperation[]): Promise<void>;
  /** `update` with the JSON of each operation. */
  apply(operations: string[]): Promise<void>;
  deletePoints(filter: Filter): Promise<void>;
  close(): void;
}

export interface Reads {
  /** Existing points, in no particular order. */
  retrieve(ids: string[], payload: PayloadSelection, vectors?: string[]): Promise<PointRecord[]>;
  scroll(request: Schemas['ScrollRequest']): Promise<{ points: PointRecord[]; next_page_offset?: unknown }>;
  count(filter: Filter): Promise<number>;
  facet(key: string, filter: Filter): Promise<{ value: string; count: number }[]>;
  queryBatch(searches: QueryRequest[]): Promise<ScoredPoint[][]>;
}

export type PayloadSelection = boolean | string[] | { exclude: string[] };

const IDS_PER_REQUEST = 500;
const SEARCHES_PER_REQUEST = 100;
const MAX_FACETS = 10_000;

/**
 * @param checkCollection creates or verifies the collection, and resolves to the server's version.
 */
export function openConnection(
  { collection, seal = null, readOnly = false }: Pick<QdrantOptions, 'collection' | 'seal' | 'readOnly'>,
  transport: Transport,
  checkCollection: () => Promise<string | null>,
): Connection {
  const base = `/collections/${encodeURIComponent(collection)}`;
  let checking: Promise<string | null> | null = null;
  let trusted = false;
  let closed = false;

  const guard = async <T>(work: () => Promise<T>): Promise<T> => {
    if (closed) throw new SmartForkError('STORE_UNAVAILABLE', 'the connection to Qdrant was closed');
    try {
      return await work();
    } catch (error) {
      if (isAboutCollection(error)) {
        checking = null;
        trusted = false;
      }
      if (isMissingCollection(error) && readOnly) throw missingCollection(collection, transport.address);
      throw describeQdrantError(error, transport.address, collection);
    }
  };
  const check = (): Promise<string | null> => {
    checking ??= guard(checkCollection).catch((error: unknown) => {
      checking = null;
      throw error;
    });
    return checking;
  };
  const send: Request = (kind, method, path, body) =>
    guard(() => transport.request(kind, method, `${base}${path}`, body));
  const sendChecked: Request = async (...asked) => {
    if (!trusted) await check();
    return send(...asked);
  };
  const reads = readsOver(sendChecked);
  const unchecked = readsOver(send);

  return {
    address: transport.address,
    place: placeOf(collection, transport.address),
    seal,
    check,
    info: () => sendChecked('read', 'GET', '', undefined),
    ...reads,
    async first(ask) {
      if (trusted || checking !== null) return ask(reads);
      try {
        return await ask(unchecked);
      } catch (error) {
        if (!(error instanceof SmartForkError) || !isAboutCollection(error.cause)) throw error;
        return ask(reads);
      }
    },
    trust: () => {
      trusted = true;
    },
    ...writesOver(sendChecked),
    close: () => {
      closed = true;
      transport.close();
    },
  };
}

type Request = <T>(kind: RequestKind, method: string, path: string, body: unknown) => Promise<T>;

function readsOver(request: Request): Reads {
  const post = <T>(path: string, body: unknown) => request<T>('read', 'POST', path, body);
  return {
    retrieve: async (ids, payload, vectors) => {
      const parts = chunksOf([...new Set(ids)], IDS_PER_REQUEST).map((some) =>
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
        limit: MAX_FACETS,
        exact: true,
      });
      return hits.map(({ value, count }) => ({ value: String(value), count }));
    },
    queryBatch: async (searches) => {
      const parts = chunksOf(searches, SEARCHES_PER_REQUEST).map((some) =>
        post<{ points: ScoredPoint[] }[]>('/points/query/batch', { searches: some }),
      );
      return (await Promise.all(parts)).flat().map(({ points }) => points);
    },
  };
}

function writesOver(
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
