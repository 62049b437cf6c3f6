import * as z from 'zod';
import { type FilterArguments, readFilter } from '../../app/search/read-filter.ts';
import { searchSessions } from '../../app/search/search-sessions.ts';
import { facets, searchResponseShape } from '../../domain/json/search.ts';
import type { SessionFilter } from '../../domain/search/search.ts';
import type { Outcome } from '../../domain/session/session.ts';
import type { PointStore } from '../../ports/point-store.ts';
import { type Open, openStore, searchDependencies } from '../context.ts';
import { defineRoute } from '../route.ts';
import { searchBody, searchQuery } from '../schemas/inputs.ts';

interface Wanted extends FilterArguments {
  q: string;
  also?: string[];
  not?: string[];
  exclude?: string[];
  outcome?: Outcome;
  limit: number;
  literal?: boolean;
  facets?: boolean;
}

const output = z.object({ ...searchResponseShape, facets: facets.optional() });

export const searchByAddress = defineRoute({
  method: 'get',
  path: '/api/v1/search',
  summary: 'Find the sessions to fork from',
  tag: 'search',
  query: searchQuery,
  output,
  run: ({ query }, open) => search(query, open),
});

export const searchByBody = defineRoute({
  method: 'post',
  path: '/api/v1/search',
  summary: 'The same, with a request body',
  tag: 'search',
  body: searchBody,
  output,
  run: ({ body }, open) => search(body, open),
});

async function search(wanted: Wanted, open: Open) {
  const { q, also, not, exclude, outcome, limit, literal = false } = wanted;
  const { config } = open.parts;
  const filter = await readFilter(wanted, open.parts);
  const response = await searchSessions(await searchDependencies(open), {
    query: q,
    also,
    not,
    exclude,
    outcomes: outcome === undefined ? undefined : [outcome],
    filter,
    limit,
    literal,
    minScore: config.search.minScore,
    mode: config.search.mode,
    ranking: config.search.ranking,
  });
  if (wanted.facets !== true) return response;
  return { ...response, facets: await countFacets(await openStore(open), filter) };
}

const MOST_VALUES = 50;

/** Each facet is counted without its own filter, so that other values can be chosen. */
async function countFacets(store: PointStore, filter: SessionFilter) {
  const { repo: _, ...withoutRepo } = filter;
  const { agent: __, ...withoutAgent } = filter;
  const { branch: ___, ...withoutBranch } = filter;
  const [repo, agent, branch, month] = await Promise.all([
    store.facet('repo_name', withoutRepo),
    store.facet('agent', withoutAgent),
    store.facet('branch', withoutBranch),
    store.facet('month', filter),
  ]);
  const first = MOST_VALUES;
  return { repo: repo.slice(0, first), agent, branch: branch.slice(0, first), month: month.slice(-first) };
}
