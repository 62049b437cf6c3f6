import type { Filter, PointRecord, QueryRequest, Schemas, ScoredPoint } from '../types.ts';
import { countIn, facetsIn, hitsIn, type Page, pageIn, pointsIn } from './check-answer.ts';
import type { Server } from './server.ts';

export interface Reads {
  /** Existing points, in no particular order. */
  retrieve(ids: string[], payload: PayloadSelection, vectors?: string[]): Promise<PointRecord[]>;
  scroll(request: Schemas['ScrollRequest']): Promise<Page>;
  /** Exact, so it takes time for every matching point: only for a filter by ids. */
  count(filter: Filter): Promise<number>;
  /** Counts the values of a field. Points that the server is moving may count twice, unless `exact`, which takes a count per value. */
  facet(key: string, filter?: Filter, exact?: boolean): Promise<{ value: string; count: number }[]>;
  queryBatch(searches: QueryRequest[]): Promise<ScoredPoint[][]>;
}

export type PayloadSelection = boolean | string[] | { exclude: string[] };

const IDS_PER_REQUEST = 500;
const SEARCHES_PER_REQUEST = 100;
const MAX_FACETS = 10_000;

/** Maximum size of each in an answer, in bytes. A session that changed thousands of files has a point of some 100 KB. */
const MAX_SIZES = { point: 8_000_000, pointWithoutPayload: 1_000, facet: 1_000 };

export function readsOver(read: Server['read']): Reads {
  return {
    retrieve: async (ids, with_payload, vectors) => {
      const asked = { with_payload, with_vector: vectors ?? false };
      const parts = chunksOf([...new Set(ids)], IDS_PER_REQUEST).map((some) =>
        read(
          'getPoints',
          { ids: some, ...asked },
          (answer) => pointsIn(answer, some.length),
          bytesOf([{ limit: some.length, ...asked }]),
        ),
      );
      return (await Promise.all(parts)).flat();
    },
    scroll: (body) => read('scrollPoints', body, (answer) => pageIn(answer, body), bytesOf([body])),
    count: (filter) => read('countPoints', { filter, exact: true }, countIn),
    facet: (key, filter, exact = false) => {
      const body = { key, filter, limit: MAX_FACETS, exact };
      return read('facet', body, facetsIn, MAX_FACETS * MAX_SIZES.facet);
    },
    queryBatch: async (searches) => {
      const parts = chunksOf(searches, SEARCHES_PER_REQUEST).map((some) => {
        const most = some.map(({ limit }) => limit ?? 10);
        const check = (answer: unknown) => hitsIn(answer, most);
        return read('queryBatchPoints', { searches: some }, check, bytesOf(some));
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
