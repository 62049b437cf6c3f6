import { SmartForkError } from '../../../domain/errors.ts';
import { type Hit, listLimits, type RankedLists, rarestTokens } from '../../../domain/search/search.ts';
import type { Findings, FindQuery } from '../../../ports/point-store.ts';
import type { Connection } from '../http/connection.ts';
import { isMissingCollection, isMissingIndex, isOtherShape } from '../http/errors.ts';
import { SCHEMA_VERSION } from '../schema/collection-shape.ts';
import { askByText } from '../schema/documents.ts';
import { TEXT_TYPES } from '../schema/filters.ts';
import { RECORD_ID, readRecord, recordOf, type StoreRecord } from '../schema/store-record.ts';
import { WITHOUT_EXTRAS } from '../schema/stored-payload.ts';
import type { QueryRequest, ScoredPoint } from '../types.ts';
import { frequencySearch } from './document-frequency.ts';
import { askCoverage, conditionsOf } from './list-sessions.ts';
import { sessionOf, textOf } from './read-sessions.ts';
import { listsOf, type Searching, scoreChunks, searchesOf } from './search-lists.ts';

/** Hits of each list that come with their payload. */
const SHOWN = 30;
/** Longer queries are cut to their rarest tokens, which costs a request. Up to here, sending all is cheaper. */
const MOST_SENT = 256;

type Asking = Connection['atOnce'];

export interface Finding extends Searching {
  /** Sessions in the collection when it was last asked; it decides how long the lists are. */
  sessions: number;
}

/**
 * A search in one round trip: the lists, with what is shown of them, next to two requests for the coverage. A filter by file
 * and a very long query cost a request before, chunk scores one after. The store's record is part of the same answer:
 * the collection is only checked, and asked again, if the answer says that something is wrong with it, or that it has
 * grown beyond 2,000 sessions. If the server should embed the query and refuses, keywords alone are searched.
 */
export async function findAtOnce(
  connection: Connection,
  finding: Finding,
  query: FindQuery,
): Promise<Findings> {
  const { answer, refusal } = await askByText(finding.documents, query, (some) =>
    findInCollection(connection, finding, some),
  );
  return refusal === null ? answer : { ...answer, vectorRefused: refusal };
}

async function findInCollection(
  connection: Connection,
  finding: Finding,
  query: FindQuery,
): Promise<Findings> {
  const found = await find(connection, connection.atOnce, finding, query).catch((error: unknown) => {
    if (isAboutCollection(error)) return null;
    throw error;
  });
  if (found !== null) return found;
  // Throws what is wrong with the collection, or creates it.
  await readRecord(connection);
  const again = await findByWhatFits(connection, finding, query);
  if (again !== null) return again;
  throw new SmartForkError('STORE_UNAVAILABLE', `${connection.place} has lost its record`, {
    hint: 'Run smart-fork index: it is made again and filled from the transcripts of each machine.',
  });
}

/** A collection made for another model is searched by keyword alone. */
async function findByWhatFits(
  connection: Connection,
  finding: Finding,
  query: FindQuery,
): Promise<Findings | null> {
  try {
    return await find(connection, connection, finding, query);
  } catch (error) {
    if (!(error instanceof SmartForkError) || query.vector === null || !isOtherShape(error.cause))
      throw error;
    const found = await find(connection, connection, finding, { ...query, vector: null });
    const message = `${connection.place} was made for another model’s vectors`;
    return found && { ...found, vectorRefused: { message, hint: error.hint ?? null } };
  }
}

/** Null when the collection has no record of this handle's. */
async function find(
  connection: Connection,
  asking: Asking,
  finding: Finding,
  query: FindQuery,
): Promise<Findings | null> {
  const conditions = await conditionsOf(connection, query.filter);
  const tokens = query.tokens && (await cutTokens(asking, finding, query.tokens));
  const limits = query.limits ?? listLimits(finding.sessions);
  const searches = conditions === null ? [] : searchesOf({ ...query, tokens, limits }, conditions, finding);
  const { of, among } = query.frequencies ?? { of: [], among: 'chunks' };
  const frequencies = frequencySearch(of, finding.hash, among);
  const parts = [
    [recordSearch()],
    searches.map(({ request }) => request),
    searches.map(({ request }) => shownSearch(request)),
    frequencies.requests,
  ];
  const [answers, coverage] = await Promise.all([
    asking.queryBatch(parts.flat()),
    query.coverage ?? askCoverage(asking),
  ]);
  const [[stored = []] = [], hits = [], shown = [], counted = []] = split(
    answers,
    parts.map(({ length }) => length),
  );
  const record = readable(connection, stored);
  if (record === null) return null;
  connection.trust();
  finding.sessions = coverage.sessions;
  if (limits.chunks < (query.limits ?? listLimits(coverage.sessions)).chunks)
    return find(connection, asking, finding, query);
  const lists = listsOf(query, searches, hits);
  return {
    model: record.model,
    coverage,
    lists,
    frequencies: frequencies.read(counted, coverage[among]),
    chunkScores: await chunkScores(connection, finding, query, lists),
    ...payloadsOf(shown.flat()),
  };
}

async function cutTokens(asking: Asking, { hash }: Finding, tokens: string[]): Promise<string[]> {
  if (tokens.length <= MOST_SENT) return tokens;
  const [{ requests, read }, { chunks }] = [
    frequencySearch(tokens, hash, 'chunks'),
    await askCoverage(asking),
  ];
  return rarestTokens(tokens, read(await asking.queryBatch(requests), chunks));
}

async function chunkScores(
  connection: Connection,
  finding: Finding,
  { vector, chunkScores }: FindQuery,
  { chunksByVector }: RankedLists,
): Promise<Hit[]> {
  if (chunkScores !== true || vector === null) return [];
  const ids = new Set(chunksByVector?.map(({ session_id }) => session_id));
  return scoreChunks(connection, finding, [...ids], vector);
}

/** Null for a record of another key or a newer schema: `readRecord` says so. */
function readable(connection: Connection, stored: ScoredPoint[]): StoreRecord | null {
  const [{ payload } = {}] = stored;
  const isOurs = (payload?.seal ?? null) === connection.seal;
  const schema = payload?.schema_version;
  if (!isOurs || typeof schema !== 'number' || schema > SCHEMA_VERSION) return null;
  return recordOf(connection, stored);
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
