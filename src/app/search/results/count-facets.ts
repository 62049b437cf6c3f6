import type { SessionFilter } from '../../../domain/search/search.ts';
import type { Facets } from '../../../domain/search-result.ts';
import type { PointStore } from '../../../ports/point-store.ts';

const MOST_VALUES = 50;

/**
 * Counts sessions by repository, agent, branch and month. Each facet is counted without its own filter, so that other values can be
 * chosen.
 * @param matching the ids of the sessions that the query finds with a filter; null without a query
 */
export async function countFacets(
  store: PointStore,
  filter: SessionFilter,
  matching: ((filter: SessionFilter) => Promise<string[]>) | null,
): Promise<Facets> {
  const found = matching === null ? undefined : await matching(filter);
  const rows = async (field: 'repo_name' | 'agent' | 'branch' | 'month', own: keyof SessionFilter | null) => {
    const isFiltered = own !== null && filter[own] !== undefined;
    const others: SessionFilter = isFiltered ? { ...filter, [own]: undefined } : filter;
    const sessionIds = isFiltered ? await matching?.(others) : found;
    return store.facet(field, sessionIds === undefined ? others : { ...others, sessionIds });
  };
  const [repo, agent, branch, month] = await Promise.all([
    rows('repo_name', 'repo'),
    rows('agent', 'agent'),
    rows('branch', 'branch'),
    rows('month', null),
  ]);
  const most = MOST_VALUES;
  return { repo: repo.slice(0, most), agent, branch: branch.slice(0, most), month: month.slice(-most) };
}
