import { SmartForkError } from '../../../domain/errors.ts';
import type { Coverage } from '../../../domain/search/search.ts';
import type { Findings, FindQuery } from '../../../ports/point-store.ts';
import { recordFrom } from '../collection/record.ts';
import type { Connection, Reads } from '../http/connection.ts';
import { isOtherShape } from '../http/errors.ts';
import { DENSE } from '../schema/collection-shape.ts';
import { askByText } from '../schema/documents.ts';
import { anyOf, TEXT_TYPES } from '../schema/filters.ts';
import { RECORD_ID } from '../schema/store-record.ts';
import { WITHOUT_EXTRAS } from '../schema/stored-payload.ts';
import type { QueryRequest, ScoredPoint } from '../types.ts';
import { frequenciesIn, frequencySearches } from './document-frequency.ts';
import { conditionsOf } from './list-sessions.ts';
import { sessionOf, textOf } from './read-sessions.ts';
import { listsOf, type Searching, searchesOf } from './search-lists.ts';

/** Hits of each list that come with all that is shown of them. */
const SHOWN = 30;

/**
 * All that a search wants in one request, and two small ones alongside if the coverage is not known; a filter by file costs one
 * before. The store's record is part of the answer: only if that says so, or the server refuses, is the collection checked, and
 * asked again if need be. If the server should embed the query and refuses, the search goes by keywords, with one more request.
 */
export async function findAtOnce(
  connection: Connection,
  searching: Searching,
  query: FindQuery,
): Promise<Findings> {
  const { answer, refusal } = await askByText(searching.documents, query, (some) =>
    findByWhatFits(connection, searching, some),
  );
  return refusal === null ? answer : { ...answer, vectorRefused: refusal };
}

/** A collection of another model is searched by keywords alone. */
async function findByWhatFits(
  connection: Connection,
  searching: Searching,
  query: FindQuery,
): Promise<Findings> {
  const findIn = (some: FindQuery) => connection.first((reads) => find(connection, reads, searching, some));
  try {
    return await findIn(query);
  } catch (error) {
    if (!(error instanceof SmartForkError) || query.vector === null || !isOtherShape(error.cause))
      throw error;
    const found = await findIn({ ...query, vector: null });
    const message = `${connection.place} was made for another model’s vectors`;
    return { ...found, vectorRefused: { message, hint: error.hint ?? null } };
  }
}

async function find(
  connection: Connection,
  reads: Reads,
  searching: Searching,
  query: FindQuery,
): Promise<Findings> {
  const { hash } = searching;
  const conditions = await conditionsOf(connection, query.filter);
  const searches = conditions === null ? [] : searchesOf(query, conditions, searching);
  const parts = [
    [recordSearch()],
    searches.map(({ request }) => request),
    searches.map(({ request }) => shownSearch(request)),
    frequencySearches(query.words, hash, 'chunk'),
  ];
  const coverageAlongside = query.known === null ? askCoverage(reads) : null;
  const [answers, alongside] = await Promise.all([reads.queryBatch(parts.flat()), coverageAlongside]);
  const [[stored = []] = [], lists = [], shown = [], frequencies = []] = split(
    answers,
    parts.map(({ length }) => length),
  );
  const record = await recordFrom(connection, stored);
  const { known } = query;
  const coverage =
    alongside ?? (known?.storeId === record.store_id ? known.coverage : await askCoverage(reads));
  return {
    storeId: record.store_id,
    model: record.model,
    coverage,
    lists: listsOf(query, searches, lists),
    statistics: {
      sessionCount: coverage.sessions,
      chunkCount: coverage.chunks,
      chunksWith: frequenciesIn(query.words, frequencies),
    },
    ...payloadsOf(shown.flat()),
  };
}

async function askCoverage(reads: Reads): Promise<Coverage> {
  const [all, without] = await Promise.all([
    reads.facet('type', { must: [anyOf('type', ['session', ...TEXT_TYPES])] }),
    reads.facet('type', { must: [anyOf('type', TEXT_TYPES)], must_not: [{ has_vector: DENSE }] }),
  ]);
  const of = (rows: typeof all, type: string) => rows.find(({ value }) => value === type)?.count ?? 0;
  return {
    sessions: of(all, 'session'),
    chunks: of(all, 'chunk'),
    intents: of(all, 'intent'),
    waiting: { intents: of(without, 'intent'), chunks: of(without, 'chunk') },
  };
}

function recordSearch(): QueryRequest {
  return { filter: { must: [{ has_id: [RECORD_ID] }] }, limit: 1, with_payload: true };
}

function shownSearch(request: QueryRequest): QueryRequest {
  const limit = Math.min(SHOWN, request.limit ?? SHOWN);
  return { ...request, limit, with_payload: WITHOUT_EXTRAS };
}

function payloadsOf(points: ScoredPoint[]): Pick<Findings, 'sessions' | 'points'> {
  const unique = [...new Map(points.map((point) => [String(point.id), point])).values()];
  return {
    sessions: unique.filter(({ payload }) => payload?.type === 'session').map(sessionOf),
    points: unique
      .filter(({ payload }) => TEXT_TYPES.includes(String(payload?.type)))
      .map((point) => ({ id: String(point.id), payload: textOf(point) })),
  };
}

function split<T>(items: T[], sizes: number[]): T[][] {
  let from = 0;
  return sizes.map((size) => {
    from += size;
    return items.slice(from - size, from);
  });
}
