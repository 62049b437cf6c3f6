import type { SessionFilter } from '../../domain/search/search.ts';
import type { FilterCount } from '../../domain/search-result.ts';
import { STARRED } from '../../domain/tags/marks.ts';
import type { PointStore } from '../../ports/point-store.ts';

/** Explains a search without results: how many sessions each filter matches on its own. */
export async function countFilters(
  store: Pick<PointStore, 'count'>,
  filter: SessionFilter,
): Promise<FilterCount[]> {
  const counts: FilterCount[] = [];
  for (const name of NAMES) {
    const value = filter[name];
    if (value === undefined) continue;
    const { sessions } = await store.count({ [name]: value });
    counts.push({
      filter: CALLED[name] ?? name,
      value: value === true ? null : typeof value === 'string' ? value : nameOf(value),
      sessions,
    });
  }
  for (const mark of filter.marks ?? []) {
    const { sessions } = await store.count({ marks: [mark] });
    counts.push({ filter: mark === STARRED ? 'starred' : 'noted', value: null, sessions });
  }
  return counts;
}

const NAMES = [
  'repo',
  'agent',
  'machine',
  'branch',
  'since',
  'until',
  'file',
  'tag',
  'marker',
  'lang',
  'hasCode',
  'asOf',
] as const;

/** As options are called. */
const CALLED: Partial<Record<(typeof NAMES)[number], string>> = { asOf: 'as_of', hasCode: 'has_code' };

/** A folder without a remote has no useful name. */
function nameOf({ repo_key, repo_name }: NonNullable<SessionFilter['repo']>): string | null {
  return repo_key ?? repo_name ?? null;
}
