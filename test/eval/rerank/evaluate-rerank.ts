import type { SearchResponse, SearchResult } from '../../../src/domain/search-result.ts';
import { DEEPEST } from '../certainty/cases.ts';
import { type Figures, figures } from '../evaluate.ts';
import { rankOfFirst } from '../metrics.ts';
import type { OpenCorpus } from '../open-corpus.ts';
import { commitSets } from '../query-sets.ts';
import { searchAs } from '../rankings.ts';
import { type Query, readQueries, selectQueries } from '../read-queries.ts';

export interface RerankFigures {
  corpus: string;
  set: string;
  queries: number;
  /** Number of queries whose results were not reranked in time, or at all. */
  missed: number;
  /** Median of a search's milliseconds. */
  median: number;
  /** By weight of the reranker's part; null: only that part. */
  weights: { weight: number | null; figures: Figures }[];
}

/** The product uses 1. */
const WEIGHTS = [0, 0.25, 0.5, 1, 2, null];

/** A reranker's gain on every set, at several weights. A search returns the first score and the reranker's part, so it runs once. */
export async function evaluateRerank(open: OpenCorpus): Promise<RerankFigures[]> {
  const ids = new Set(open.sessions.map(({ session_id }) => session_id));
  const { queries } = selectQueries(readQueries(open.corpus.queries), ids);
  const commits = commitSets(queries);
  const sets = commits.length > 0 ? commits : [{ name: 'queries', queries }];
  const all: RerankFigures[] = [];
  for (const { name, queries } of sets) {
    const responses = new Map<Query, SearchResponse>();
    for (const query of queries) {
      const mode = open.embedded ? 'hybrid' : 'keyword';
      responses.set(query, await searchAs(open, query, { mode, limit: DEEPEST }));
    }
    const answers = [...responses.values()];
    const times = answers.map(({ took_ms }) => took_ms).sort((a, b) => a - b);
    all.push({
      corpus: open.corpus.name,
      set: name,
      queries: queries.length,
      missed: answers.filter(({ notices }) => notices.some(({ code }) => code === 'NOT_RERANKED')).length,
      median: times[Math.floor(times.length / 2)] ?? 0,
      weights: WEIGHTS.flatMap((weight) => {
        const ranks = new Map(
          [...responses].map(([query, { results }]) => [
            query,
            rankOfFirst(inOrder(results, weight), query.sessions),
          ]),
        );
        const found = figures(queries, ranks);
        return found === null ? [] : [{ weight, figures: found }];
      }),
    });
  }
  return all;
}

function inOrder(results: SearchResult[], weight: number | null): string[] {
  const scoreOf = ({ score, scores: { parts, weights } }: SearchResult) => {
    const { reranker = 0 } = parts;
    return weight === null ? reranker : score + (weight - (weights.reranker ?? 0)) * reranker;
  };
  return [...results].sort((a, b) => scoreOf(b) - scoreOf(a)).map(({ session_id }) => session_id);
}
