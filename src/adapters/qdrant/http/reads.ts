import type { Filter, PointRecord, QueryRequest, Schemas, ScoredPoint } from '../types.ts';
import { countIn, facetsIn, hitsIn, type Page, pageIn, pointsIn } from './check-answer.ts';
import type { RequestKind } from './transport.ts';

export interface Reads {
  /** Existing points, in no particular order. */
  retrieve(ids: string[], payload: PayloadSelection, vectors?: string[]): Promise<PointRecord[]>;
  scroll(request: Schemas['ScrollRequest']): Promise<Page>;
  count(filter: Filter): Promise<number>;
  facet(key: string, filter: Filter): Promise<{ value: string; count: number }[]>;
  queryBatch(searches: QueryRequest[]): Promise<ScoredPoint[][]>;
}

export type PayloadSelection = boolean | string[] | { exclude: string[] };

export type Request = <T>(kind: RequestKind, method: string, path: string, asked: Asked<T>) => Promise<T>;

export interface Asked<T> {
  body?: unknown;
  /** Maximum size of the answer in bytes; defaults to what an answer without points needs. */
  limit?: number;
  read(answer: unknown): T;
}

const IDS_PER_REQUEST = 500;
const SEARCHES_PER_REQUEST = 100;
const MAX_FACETS = 10_000;

/** Maximum size of each in an answer, in bytes. A session that changed thousands of files has a point of some 100 KB. */
const MAX_SIZES = { point: 8_000_000, pointWithoutPayload: 1_000, facet: 1_000 };

export function readsOver(request: Request): Reads {
  const post = <T>(path: string, asked: Asked<T>) => request<T>('read', 'POST', path, asked);
  return {
    retrieve: async (ids, payload, vectors) => {
      const parts = chunksOf([...new Set(ids)], IDS_PER_REQUEST).map((some) =>
        post('/points', {
          body: { ids: some, with_payload: payload, with_vector: vectors ?? false },
          limit: bytesOf([{ limit: some.length, with_payload: payload, with_vector: vectors ?? false }]),
          read: (answer) => pointsIn(answer, some.length),
        }),
      );
      return (await Promise.all(parts)).flat();
    },
    scroll: (body) => {
      const limit = bytesOf([body]);
      return post('/points/scroll', { body, limit, read: (answer) => pageIn(answer, body) });
    },
    count: (filter) => post('/points/count', { body: { filter, exact: true }, read: countIn }),
    facet: (key, filter) => {
      const body = { key, filter, limit: MAX_FACETS, exact: true };
      return post('/facet', { body, limit: MAX_FACETS * MAX_SIZES.facet, read: facetsIn });
    },
    queryBatch: async (searches) => {
      const parts = chunksOf(searches, SEARCHES_PER_REQUEST).map((some) => {
        const most = some.map(({ limit }) => limit ?? 10);
        const read = (answer: unknown) => hitsIn(answer, most);
        return post('/points/query/batch', { body: { searches: some }, limit: bytesOf(some), read });
      });
      return (await Promise.all(parts)).flat();
    },
  };
}

type AskedPoints = Pick<QueryRequest, 'limit' | 'with_payload' | 'with_vector'>;

/** Maximum size of an answer with payloads, in bytes. Points in a longer one are requested again in parts (read-in-parts.ts). */
const MAX_BYTES = 16 * 1024 * 1024;

/** Maximum size of an answer with these points, in bytes. */
function bytesOf(asked: AskedPoints[]): number {
  const bytes = asked.map(({ limit, with_payload, with_vector }) => {
    const isBare = with_payload === false && (with_vector ?? false) === false;
    return 1_000 + (limit ?? 10) * (isBare ? MAX_SIZES.pointWithoutPayload : MAX_SIZES.point);
  });
  return Math.min(
    MAX_BYTES,
    bytes.reduce((sum, one) => sum + one, 0),
  );
}

export function chunksOf<T>(items: T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) =>
    items.slice(at * size, (at + 1) * size),
  );
}
