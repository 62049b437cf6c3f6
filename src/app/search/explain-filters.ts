import { UNMATCHED } from '../../domain/outage.ts';
import type { SessionFilter } from '../../domain/search/search.ts';
import type { Notice } from '../../domain/search-result.ts';
import type { FacetField, PointStore } from '../../ports/point-store.ts';
import { countFilters } from './count-filters.ts';
import { newestOutside, nothingText, timeTexts, unmatchedText } from './unmatched-filters.ts';

/** For an empty answer: filters that no session matches, with the value that was probably meant, or when the newest session is from. */
export async function unmatchedFilters(
  store: Pick<PointStore, 'facet' | 'list' | 'count'>,
  filter: SessionFilter,
  now: number,
): Promise<Notice[]> {
  const notices = [...(await unknownValues(store, filter)), ...(await outOfTime(store, filter, now))];
  return notices.length > 0 ? notices : withoutSessions(store, filter);
}

async function unknownValues(store: Pick<PointStore, 'facet'>, filter: SessionFilter): Promise<Notice[]> {
  const { repo, machine, branch, tag } = filter;
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
    if (known.length === 0 || known.includes(value)) continue;
    notices.push({ code: UNMATCHED, message: unmatchedText(noun, value, known) });
  }
  return notices;
}

/** If no session is of the time that is asked for: of when the newest one is. */
async function outOfTime(
  store: Pick<PointStore, 'list'>,
  filter: SessionFilter,
  now: number,
): Promise<Notice[]> {
  const newest = await newestOutside(store, filter);
  return newest === null
    ? []
    : [{ code: UNMATCHED, message: nothingText(timeTexts(filter, now), newest, now) }];
}

/** If the filters leave no session: which of them matches none, or that they have none in common. */
async function withoutSessions(
  store: Pick<PointStore, 'list' | 'count'>,
  filter: SessionFilter,
): Promise<Notice[]> {
  const counts = await countFilters(store, filter);
  if (counts.length === 0 || (await store.list(filter, 1)).sessions.length > 0) return [];
  if ((await store.count({})).sessions === 0) return [];
  const none = counts.filter(({ sessions }) => sessions === 0);
  const named = none.map(({ filter: name, value }) => (value === null ? name : `${name} "${value}"`));
  const which = named.length === 0 ? 'all the filters together' : `the filter ${named.join(', nor ')}`;
  return [{ code: UNMATCHED, message: `no session matches ${which}` }];
}
