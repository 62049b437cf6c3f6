import { rankByPrd } from '../../src/app/search/rank/rank-by-prd.ts';
import { searchSessions } from '../../src/app/search/search-sessions.ts';
import { rankSessions, STANDARD, type Weights } from '../../src/domain/search/ranking.ts';
import { PRD_WEIGHTS } from '../../src/domain/search/ranking-prd.ts';
import type { RankingName, SearchMode } from '../../src/domain/search/search.ts';
import type { SearchResponse } from '../../src/domain/search-result.ts';
import { searchLists } from '../support/stores/ask-store.ts';
import type { OpenCorpus } from './open-corpus.ts';
import { plainBm25, sessionTexts } from './plain-bm25.ts';
import type { Query } from './read-queries.ts';

/** Maps a query to session ids, best first. */
type Rank = (query: Query) => Promise<string[]>;

export interface Ranking {
  name: string;
  needsVectors: boolean;
  prepare(open: OpenCorpus): Promise<Rank>;
}

export const RANKINGS: Ranking[] = [
  { name: 'hybrid (default)', needsVectors: true, prepare: bySearch('hybrid', 'default') },
  { name: 'keyword', needsVectors: false, prepare: bySearch('keyword', 'default') },
  { name: 'dense', needsVectors: true, prepare: bySearch('dense', 'default') },
  { name: '.5 s + .5 u', needsVectors: false, prepare: byWords({ session_words: 0.5, chunk_words: 0.5 }) },
  { name: 'session BM25', needsVectors: false, prepare: byWords({ session_words: 1, chunk_words: 0 }) },
  { name: 'session BM25, plain words', needsVectors: false, prepare: byPlainWords },
  { name: 'PRD, no recency', needsVectors: true, prepare: byPrdWithoutRecency },
  { name: 'PRD', needsVectors: true, prepare: bySearch('hybrid', 'prd') },
];

const LIMIT = 200;

/** One search as the product runs it, with ages counted from the query's time. */
export async function searchAs(
  { parts, sessions }: OpenCorpus,
  query: Query,
  options: { mode: SearchMode; ranking?: RankingName; limit: number; without?: string[] },
): Promise<SearchResponse> {
  const now = timeOf(query, sessions);
  return searchSessions(
    {
      ...parts,
      store: await parts.store(),
      archives: [],
      machine: { ...parts.machine, now: () => now },
    },
    {
      query: query.text,
      also: query.also,
      mode: options.mode,
      ranking: options.ranking ?? 'default',
      limit: options.limit,
      filter: options.without ? { excludeSessionIds: options.without } : undefined,
    },
  );
}

function bySearch(mode: SearchMode, ranking: RankingName): Ranking['prepare'] {
  return async (open) => async (query) => {
    const { results } = await searchAs(open, query, { mode, ranking, limit: LIMIT });
    return results.map(({ session_id }) => session_id);
  };
}

/** Only the keyword lists, without recency. */
function byWords(words: Pick<Weights, 'session_words' | 'chunk_words'>): Ranking['prepare'] {
  return async ({ parts }) =>
    async (query) => {
      const store = await parts.store();
      const tokens = parts.tokenizer.tokens(query.text);
      const lists = await searchLists(store, { tokens, vector: null, filter: {}, limits: LIMITS });
      const weights = { ...words, chunk_vectors: 0, intent_vectors: 0, recency: 0 };
      return rankSessions(lists, weights, 0).map(({ session_id }) => session_id);
    };
}

const LIMITS = { sessions: 100, chunks: 200, intents: 200 };

/** The requirements' formula without its recency part. */
async function byPrdWithoutRecency({ parts }: OpenCorpus): Promise<Rank> {
  const store = await parts.store();
  const embedder = await parts.embedding.embedder();
  return async ({ text }) => {
    const vector = await embedder.embedQuery(text);
    const query = { tokens: null, vector, filter: {}, limits: LIMITS, chunkScores: true };
    const ranked = await rankByPrd({ ...parts, store, formula: STANDARD }, await store.find(query), 0);
    const scored = ranked.map(({ session_id, score, scores: { parts: part } }) => {
      const recency = PRD_WEIGHTS.recency * (part.recency ?? 0) * (part.marker_boost ?? 1);
      return { session_id, score: score - recency };
    });
    return scored.sort((a, b) => b.score - a.score).map(({ session_id }) => session_id);
  };
}

async function byPlainWords(open: OpenCorpus): Promise<Rank> {
  const rank = plainBm25(await sessionTexts(open));
  return async ({ text }) => rank(text);
}

/** A query without a date is asked right after the newest session ended. */
function timeOf({ time }: Query, sessions: OpenCorpus['sessions']): number {
  return (
    time ?? Math.max(0, ...sessions.map(({ ended_at }) => (ended_at === null ? 0 : Date.parse(ended_at))))
  );
}
