import { SmartForkError } from '../../../domain/errors.ts';
import type { Coverage } from '../../../domain/search/search.ts';
import type { Findings, FindQuery } from '../../../ports/point-store.ts';
import type { Connection } from '../http/connection.ts';
import { isMissingCollection, isMissingIndex, isOtherShape } from '../http/errors.ts';
import { DENSE, SCHEMA_VERSION } from '../schema/collection-shape.ts';
import { askByText } from '../schema/documents.ts';
import { anyOf, TEXT_TYPES } from '../schema/filters.ts';
import { RECORD_ID, readRecord, recordOf, type StoreRecord } from '../schema/store-record.ts';
import { WITHOUT_EXTRAS } from '../schema/stored-payload.ts';
import type { QueryRequest, ScoredPoint } from '../types.ts';
import { conditionsOf } from './list-sessions.ts';
import { sessionOf, textOf } from './read-sessions.ts';
import { listsOf, type Searching, searchesOf } from './search-lists.ts';
import { chunkHolders, holderSearches } from './token-statistics.ts';

/** Of each list, so many hits come with all that is shown of them. */
const SHOWN = 30;

type Asking = Connection['atOnce'];

/**
 * All that a search wants in one request, and two small ones beside it where the coverage is not known; a filter by file
 * costs one before. The store's record comes in the same answer, so nothing is asked first: only where the answer says
 * that the collection is not as it should be, it is looked at, and asked again. So it is, by words alone, where the server
 * should embed the query and refuses.
 */
export async function findAtOnce(
  connection: Connection,
  searching: Searching,
  query: FindQuery,
): Promise<Findings> {
  const { answer, refusal } = await askByText(searching.documents, query, (some) =>
    findInCollection(connection, searching, some),
  );
  return refusal === null ? answer : { ...answer, vectorRefused: refusal };
}

async function findInCollection(
  connection: Connection,
  searching: Searching,
  query: FindQuery,
): Promise<Findings> {
  const found = await find(connection, connection.atOnce, searching, query).catch((error: unknown) => {
    if (isAboutCollection(error)) return null;
    throw error;
  });
  if (found !== null) return found;
  // Says what is wrong with the collection, or makes it.
  await readRecord(connection);
  const again = await findByWhatFits(connection, searching, query);
  if (again !== null) return again;
  throw new SmartForkError('STORE_UNAVAILABLE', `${connection.place} has lost its record`, {
    hint: 'Run smart-fork index: it is made again and filled from the transcripts of each machine.',
  });
}

/** A collection that was made for another model is asked by words alone. */
async function findByWhatFits(
  connection: Connection,
  searching: Searching,
  query: FindQuery,
): Promise<Findings | null> {
  try {
    return await find(connection, connection, searching, query);
  } catch (error) {
    if (!(error instanceof SmartForkError) || query.vector === null || !isOtherShape(error.cause))
      throw error;
    const found = await find(connection, connection, searching, { ...query, vector: null });
    const message = `${connection.place} was made for another model’s vectors`;
    return found && { ...found, vectorRefused: { message, hint: error.hint ?? null } };
  }
}

/** Null when the collection has no record that is this handle's. */
async function find(
  connection: Connection,
  asking: Asking,
  searching: Searching,
  query: FindQuery,
): Promise<Findings | null> {
  const { hash } = searching;
  const conditions = await conditionsOf(connection, query.filter);
  const searches = conditions === null ? [] : searchesOf(query, conditions, searching);
  const parts = [
    [recordSearch()],
    searches.map(({ request }) => request),
    searches.map(({ request }) => shownSearch(request)),
    holderSearches(query.words, hash),
  ];
  const coverageBeside = query.known === null ? askCoverage(asking) : null;
  const [answers, beside] = await Promise.all([asking.queryBatch(parts.flat()), coverageBeside]);
  const [[stored = []] = [], lists = [], shown = [], holders = []] = split(
    answers,
    parts.map(({ length }) => length),
  );
  const record = readable(connection, stored);
  if (record === null) return null;
  connection.trust();
  const { known } = query;
  const coverage =
    beside ?? (known?.storeId === record.store_id ? known.coverage : await askCoverage(asking));
  return {
    storeId: record.store_id,
    model: record.model,
    coverage,
    lists: listsOf(query, searches, lists),
    statistics: {
      sessionCount: coverage.sessions,
      chunkCount: coverage.chunks,
      chunksWith: chunkHolders(query.words, holders, hash, coverage.chunks),
    },
    ...payloadsOf(shown.flat()),
  };
}

/** A record of another key is for the full look at the collection, which says so. */
function readable(connection: Connection, stored: ScoredPoint[]): StoreRecord | null {
  const [{ payload } = {}] = stored;
  const isOurs = (payload?.seal ?? null) === connection.seal;
  const schema = payload?.schema_version;
  if (!isOurs || typeof schema !== 'number' || schema > SCHEMA_VERSION) return null;
  return recordOf(connection, stored);
}

async function askCoverage(asking: Asking): Promise<Coverage> {
  const [all, without] = await Promise.all([
    asking.facet('type', { must: [anyOf('type', ['session', ...TEXT_TYPES])] }),
    asking.facet('type', { must: [anyOf('type', TEXT_TYPES)], must_not: [{ has_vector: DENSE }] }),
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

function isAboutCollection(error: unknown): boolean {
  const cause = error instanceof SmartForkError ? error.cause : error;
  return isMissingCollection(cause) || isMissingIndex(cause) || isOtherShape(cause);
}
