import { SmartForkError } from '../../../domain/errors.ts';
import {
  type Hit,
  listLimits,
  type Phrasing,
  type RankedLists,
  rarestTokens,
} from '../../../domain/search/search.ts';
import { type Findings, type FindQuery, withoutVectors } from '../../../ports/point-store.ts';
import { recordFrom, recordSearch } from '../collection/read-record.ts';
import type { Connection } from '../http/connection.ts';
import { isOtherShape } from '../http/errors.ts';
import type { Reads } from '../http/reads.ts';
import { askByText } from '../schema/documents.ts';
import { TEXT_TYPES } from '../schema/filters.ts';
import { WITHOUT_EXTRAS } from '../schema/stored-payload.ts';
import type { QueryRequest, ScoredPoint } from '../types.ts';
import { frequenciesIn, frequencySearches } from './document-frequency.ts';
import { findMemory } from './find-memory.ts';
import { askCoverage, conditionsOf } from './list-sessions.ts';
import { sessionsOf, textsOf } from './read-sessions.ts';
import { listsOf, type Searching, scoreChunks, searchesOf } from './search-lists.ts';

/** Hits per list returned with their payload. */
const SHOWN = 30;
/** Longer queries are reduced to their rarest tokens, which costs a request. Up to this length, sending all is cheaper. */
const MAX_SENT = 256;

const NO_LISTS: RankedLists = {
  sessionsByWords: null,
  chunksByWords: null,
  chunksByVector: null,
  intentsByVector: null,
};

export interface Finding extends Searching {
  /** Sessions in the collection at the last search; determines the length of the lists. */
  sessions: number;
}

/**
 * A search in one round trip: the lists with the payloads of the best hits, and in parallel two requests for the coverage. A filter
 * by file or a very long query costs a request before, chunk scores one after. The answer includes the store's record: the
 * collection is checked, and searched again, only if the answer shows a problem with it. It is also searched again once it has
 * grown beyond 2,000 sessions. If the server refuses to embed the query, the search uses only keywords.
 */
export async function findAtOnce(
  connection: Connection,
  finding: Finding,
  query: FindQuery,
): Promise<Findings> {
  const { answer, refusal } = await askByText(finding.documents, query, (some) =>
    findWithFallback(connection, finding, some),
  );
  return refusal === null ? answer : { ...answer, vectorRefused: refusal };
}

/** Searches a collection with another model's vectors by keyword only. */
async function findWithFallback(
  connection: Connection,
  finding: Finding,
  query: FindQuery,
): Promise<Findings> {
  const findIn = (some: FindQuery) => connection.first((reads) => find(connection, reads, finding, some));
  try {
    return await findIn(query);
  } catch (error) {
    if (!(error instanceof SmartForkError) || query.vector === null || !isOtherShape(error.cause))
      throw error;
    const found = await findIn(withoutVectors(query));
    const message = `${connection.place} was created for another model’s vectors`;
    return { ...found, vectorRefused: { message, hint: error.hint ?? null } };
  }
}

async function find(
  connection: Connection,
  reads: Reads,
  finding: Finding,
  query: FindQuery,
): Promise<Findings> {
  if (query.memory !== undefined) return findMemory(connection, reads, finding, query, query.memory);
  const conditions = await conditionsOf({ ...connection, ...reads }, query.filter);
  const limits = query.limits ?? listLimits(finding.sessions);
  const phrasings = await cutPhrasings(reads, [query, ...(query.also ?? [])]);
  const { filter } = query;
  const groups = phrasings.map((phrasing) =>
    conditions === null ? [] : searchesOf({ ...phrasing, filter, limits }, conditions, finding),
  );
  const searches = groups.flat();
  const { of, among } = query.frequencies ?? { of: [], among: 'chunks' };
  const parts = [
    [recordSearch()],
    searches.map(({ request }) => request),
    searches.map(({ request }) => shownSearch(request, phrasings.length)),
    frequencySearches(of, among),
  ];
  const [answers, coverage] = await Promise.all([
    reads.queryBatch(parts.flat()),
    query.coverage ?? askCoverage(reads),
  ]);
  const [[stored = []] = [], hits = [], shown = [], counted = []] = split(
    answers,
    parts.map(({ length }) => length),
  );
  const record = await recordFrom(connection, stored);
  finding.sessions = coverage.sessions;
  if (limits.chunks < (query.limits ?? listLimits(coverage.sessions)).chunks)
    return find(connection, reads, finding, query);
  const sizes = groups.map(({ length }) => length);
  const answered = split(hits, sizes);
  const [lists = NO_LISTS, ...also] = groups.map((group, at) =>
    listsOf(phrasings[at] ?? query, group, answered[at] ?? []),
  );
  return {
    model: record.model,
    coverage,
    lists,
    also,
    frequencies: frequenciesIn(of, counted),
    chunkScores: await chunkScores(connection, finding, query, lists),
    ...payloadsOf(connection, shown.flat()),
  };
}

/** Reduces phrasings with many tokens to their rarest ones, with one request for all of them. */
async function cutPhrasings(reads: Reads, phrasings: Phrasing[]): Promise<Phrasing[]> {
  const isLong = ({ tokens }: Phrasing) => tokens !== null && tokens.length > MAX_SENT;
  const tokens = [...new Set(phrasings.filter(isLong).flatMap((phrasing) => phrasing.tokens ?? []))];
  if (tokens.length === 0) return phrasings;
  const frequencies = frequenciesIn(tokens, await reads.queryBatch(frequencySearches(tokens, 'chunks')));
  return phrasings.map((phrasing) =>
    isLong(phrasing) && phrasing.tokens !== null
      ? { ...phrasing, tokens: rarestTokens(phrasing.tokens, frequencies) }
      : phrasing,
  );
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

/** Several phrasings share one allowance of payloads: a further request is cheaper than fetching all of them. */
function shownSearch(request: QueryRequest, phrasings: number): QueryRequest {
  const shown = Math.ceil(SHOWN / phrasings);
  const limit = Math.min(shown, request.limit ?? shown);
  return { ...request, limit, with_payload: WITHOUT_EXTRAS };
}

function payloadsOf(connection: Connection, points: ScoredPoint[]): Pick<Findings, 'sessions' | 'points'> {
  const unique = [...new Map(points.map((point) => [String(point.id), point])).values()];
  return {
    sessions: sessionsOf(
      connection,
      unique.filter(({ payload }) => payload?.type === 'session'),
    ),
    points: textsOf(
      connection,
      unique.filter(({ payload }) => TEXT_TYPES.includes(String(payload?.type))),
    ).map(({ point, payload }) => ({ id: String(point.id), payload })),
  };
}

function split<T>(items: T[], sizes: number[]): T[][] {
  let from = 0;
  return sizes.map((size) => {
    from += size;
    return items.slice(from - size, from);
  });
}
