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
import { countFor } from './count-for.ts';
import { frequenciesIn, frequencySearches } from './document-frequency.ts';
import { findMemory } from './find-memory.ts';
import { conditionsOf } from './list-sessions.ts';
import { listsOf, type Searching, scoreChunks, searchesOf } from './search-lists.ts';

/** Longer queries are reduced to their rarest tokens, which costs a request. Up to this length, sending all is cheaper. */
const MAX_SENT = 256;

const NO_LISTS: RankedLists = {
  sessionsByWords: null,
  chunksByWords: null,
  chunksByVector: null,
  intentsByVector: null,
};

/**
 * A search in one round trip: the lists, and in parallel the counts if there are no recent ones. A filter by file or a very long query
 * costs a request before, chunk scores one after. The answer includes the store's record: the collection is checked, and searched
 * again, only if the answer shows a problem with it. If the server refuses to embed the query, the search uses only keywords.
 */
export async function findAtOnce(
  connection: Connection,
  finding: Searching,
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
  finding: Searching,
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
  finding: Searching,
  query: FindQuery,
): Promise<Findings> {
  if (query.memory !== undefined) return findMemory(connection, reads, finding, query, query.memory);
  const conditions = await conditionsOf({ ...connection, ...reads }, query.filter);
  const limits = query.limits ?? listLimits(finding.counts.sessions());
  const phrasings = await cutPhrasings(reads, [query, ...(query.also ?? [])]);
  const { filter, chunksOnly = false } = query;
  const groups = phrasings.map((phrasing) =>
    conditions === null ? [] : searchesOf({ ...phrasing, filter, limits, chunksOnly }, conditions, finding),
  );
  const searches = groups.flat();
  const wanted = query.frequencies ?? { of: [], among: 'chunks' };
  const known = finding.counts.frequencies(wanted);
  const words = wanted.of.filter((token) => !known.has(token));
  const parts = [
    [recordSearch()],
    searches.map(({ request }) => request),
    frequencySearches(words, wanted.among),
  ];
  const [answers, coverageOf] = await Promise.all([
    reads.queryBatch(parts.flat()),
    countFor(reads, finding.counts, query),
  ]);
  const [[stored = []] = [], hits = [], counted = []] = split(
    answers,
    parts.map(({ length }) => length),
  );
  const record = await recordFrom(connection, stored);
  const coverage = await coverageOf(record);
  const frequencies = frequenciesIn(words, counted);
  finding.counts.noteFrequencies(wanted.among, frequencies);
  const sizes = groups.map(({ length }) => length);
  const answered = split(hits, sizes);
  const [lists = NO_LISTS, ...also] = groups.map((group, at) =>
    listsOf(phrasings[at] ?? query, group, answered[at] ?? [], query.limits ?? listLimits(coverage.sessions)),
  );
  return {
    model: record.model,
    coverage,
    lists,
    also,
    frequencies: atMost(coverage[wanted.among], new Map([...known, ...frequencies])),
    chunkScores: await chunkScores(connection, finding, query, lists),
  };
}

/** Words and documents may have been counted at different times. */
function atMost(documents: number, frequencies: Map<string, number>): Map<string, number> {
  return new Map(Array.from(frequencies, ([token, count]) => [token, Math.min(count, documents)]));
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
  finding: Searching,
  { vector, chunkScores }: FindQuery,
  { chunksByVector }: RankedLists,
): Promise<Hit[]> {
  if (chunkScores !== true || vector === null) return [];
  const ids = new Set(chunksByVector?.map(({ session_id }) => session_id));
  return scoreChunks(connection, finding, [...ids], vector);
}

function split<T>(items: T[], sizes: number[]): T[][] {
  let from = 0;
  return sizes.map((size) => {
    from += size;
    return items.slice(from - size, from);
  });
}
