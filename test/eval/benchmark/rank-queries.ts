import { SmartForkError } from '../../../src/domain/errors.ts';
import { DEEPEST } from '../certainty/cases.ts';
import type { OpenCorpus } from '../open-corpus.ts';
import { plainBm25, sessionTexts } from '../plain-bm25.ts';
import { searchAs } from '../rankings.ts';
import type { Query } from '../read-queries.ts';
import type { Rankings } from './benchmark-file.ts';

interface Tool {
  name: string;
  rank(query: Query): Promise<string[]>;
}

/** The rankings of smart-fork and of plain BM25, by the ids of the queries. */
export async function rankQueries(open: OpenCorpus, queries: Map<string, Query>): Promise<Rankings> {
  const isPhrased = [...queries.values()].some(({ also }) => also.length > 0);
  const rankings: Rankings = {};
  for (const { name, rank } of await toolsFor(open, isPhrased)) {
    const ranking: Record<string, string[]> = {};
    for (const [id, query] of queries)
      ranking[id] = (await rank(query).catch(noneIfRefused)).slice(0, DEEPEST);
    rankings[name] = ranking;
  }
  return rankings;
}

/** A question whose times contradict each other is refused, which finds nothing. */
function noneIfRefused(error: unknown): string[] {
  if (error instanceof SmartForkError && error.code === 'USAGE') return [];
  throw error;
}

async function toolsFor(open: OpenCorpus, isPhrased: boolean): Promise<Tool[]> {
  const modes = open.embedded ? (['hybrid', 'keyword'] as const) : (['keyword'] as const);
  const plain = plainBm25(await sessionTexts(open));
  const bySearch = (mode: 'hybrid' | 'keyword') => async (query: Query) => {
    const { results } = await searchAs(open, query, { mode, limit: DEEPEST });
    return results.map(({ session_id }) => session_id);
  };
  const tools = modes.flatMap((mode): Tool[] => {
    const rank = bySearch(mode);
    const alone: Tool = { name: `smart-fork, ${mode}`, rank: (query) => rank({ ...query, also: [] }) };
    return isPhrased ? [alone, { name: `smart-fork, ${mode}, phrased`, rank }] : [alone];
  });
  return [...tools, { name: 'plain BM25', rank: async ({ text }) => plain(text) }];
}
