import { MEMORY_LIMIT, type MemoryFilter, type MemoryLists } from '../../../domain/memory/memory-search.ts';
import type { MemoryPayload } from '../../../domain/point/point.ts';
import { type Findings, type FindQuery, type MemoryOf, NOTHING_FOUND } from '../../../ports/point-store.ts';
import { recordFrom, recordSearch } from '../collection/read-record.ts';
import type { Connection } from '../http/connection.ts';
import type { Reads } from '../http/reads.ts';
import { BM25_CHUNK } from '../schema/collection-shape.ts';
import { memoryConditions, withTypes } from '../schema/filters.ts';
import { hashMemoryToken, queryVector } from '../schema/sparse.ts';
import { WITHOUT_EXTRAS } from '../schema/stored-payload.ts';
import type { Filter, QueryRequest } from '../types.ts';
import { countFor } from './count-for.ts';
import { conditionsOf } from './list-sessions.ts';
import { textsOf } from './read-sessions.ts';
import { byScore, hitOf, keywordSearch, queryOf, type Searching, vectorSearch } from './search-lists.ts';

interface MemorySearch {
  list: keyof MemoryLists;
  request: QueryRequest;
}

/** The lists of ideas and spans, in one round trip. */
export async function findMemory(
  connection: Connection,
  reads: Reads,
  searching: Searching,
  query: FindQuery,
  filter: MemoryFilter,
): Promise<Findings> {
  const [ideas, spans] = await Promise.all([
    filterOf({ ...connection, ...reads }, filter, 'idea'),
    filterOf({ ...connection, ...reads }, filter, 'span'),
  ]);
  const searches = ideas === null || spans === null ? [] : searchesOf(query, searching, { ideas, spans });
  const [answers, coverageOf] = await Promise.all([
    reads.queryBatch([recordSearch(), ...searches.map(({ request }) => request)]),
    countFor(reads, searching.counts, query),
  ]);
  const [stored = [], ...hits] = answers;
  const record = await recordFrom(connection, stored);
  const lists: MemoryLists = {
    ideasByWords: query.tokens === null ? null : [],
    ideasByVector: query.vector === null ? null : [],
    spansByWords: query.tokens === null ? null : [],
    spansByVector: query.vector === null ? null : [],
  };
  for (const [at, { list }] of searches.entries())
    lists[list] = (hits[at] ?? []).flatMap((point) => hitOf(point, false)).sort(byScore);
  return { ...NOTHING_FOUND, memory: lists, model: record.model, coverage: await coverageOf(record) };
}

/** See PointStore.listMemory. */
export async function listMemory<T extends MemoryPayload['type']>(
  connection: Connection,
  type: T,
  filter: MemoryFilter,
  limit: number,
): Promise<MemoryOf<T>[]> {
  const only = await filterOf(connection, filter, type);
  if (only === null) return [];
  const { points } = await connection.scroll({
    filter: only,
    order_by: { key: 'ended_ms', direction: 'desc' },
    limit,
    with_payload: WITHOUT_EXTRAS,
  });
  return textsOf(connection, points)
    .flatMap(({ point, payload }) =>
      payload.type === type ? [{ id: String(point.id), payload: payload as MemoryOf<T> }] : [],
    )
    .sort((a, b) => compare(b.payload.ended_at ?? '', a.payload.ended_at ?? '') || compare(a.id, b.id))
    .map(({ payload }) => payload);
}

async function filterOf(
  connection: Connection,
  filter: MemoryFilter,
  type: MemoryPayload['type'],
): Promise<Filter | null> {
  const [sessions, memory] = [
    await conditionsOf(connection, filter.sessions ?? {}),
    memoryConditions(filter),
  ];
  return sessions === null || memory === null ? null : withTypes(sessions, [type], ...memory);
}

function searchesOf(
  { tokens, vector }: FindQuery,
  { documents }: Searching,
  { ideas, spans }: { ideas: Filter; spans: Filter },
): MemorySearch[] {
  const searches: MemorySearch[] = [];
  if (tokens !== null && tokens.length > 0) {
    const keywords = queryVector(tokens, hashMemoryToken);
    const search = (only: Filter) => keywordSearch(keywords, BM25_CHUNK, only, MEMORY_LIMIT);
    searches.push({ list: 'ideasByWords', request: search(ideas) });
    searches.push({ list: 'spansByWords', request: search(spans) });
  }
  if (vector !== null) {
    const dense = queryOf(vector, documents);
    const search = (only: Filter) => vectorSearch(dense, only, MEMORY_LIMIT);
    searches.push({ list: 'ideasByVector', request: search(ideas) });
    searches.push({ list: 'spansByVector', request: search(spans) });
  }
  return searches;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
