import { UNMATCHED } from '../../domain/outage.ts';
import type { SessionFilter } from '../../domain/search/search.ts';
import type { Notice } from '../../domain/search-result.ts';
import { nearestValue } from '../../domain/text/nearest-value.ts';
import type { FacetField, PointStore } from '../../ports/point-store.ts';

/** For an empty answer: filters whose value no session has, with the value that was probably meant. */
export async function unmatchedFilters(
  store: Pick<PointStore, 'facet'>,
  { repo, machine, branch, tag }: SessionFilter,
): Promise<Notice[]> {
  const typed: [FacetField, noun: string, value: string | undefined][] = [
    ['repo_name', 'repository', (repo?.repo_key ?? repo?.repo_name)?.split('/').at(-1)],
    ['machine', 'machine', machine],
    ['branch', 'branch', branch],
    ['tag', 'tag', tag],
  ];
  const notices: Notice[] = [];
  for (const [field, noun, value] of typed) {
    if (value === undefined) continue;
    const known = (await store.facet(field)).map((row) => row.value);
    const meant = known.includes(value) ? null : nearestValue(value, known);
    if (meant === null) continue;
    const message = `no session has the ${noun} "${value}": did you mean "${meant}"?`;
    notices.push({ code: UNMATCHED, message });
  }
  return notices;
}
