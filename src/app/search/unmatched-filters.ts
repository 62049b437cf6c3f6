import { UNMATCHED } from '../../domain/outage.ts';
import type { SessionFilter } from '../../domain/search/search.ts';
import type { Notice } from '../../domain/search-result.ts';
import { nearestValue } from '../../domain/text/nearest-value.ts';
import { dayText } from '../../domain/text/time-text.ts';
import type { FacetField, PointStore } from '../../ports/point-store.ts';

/** For an empty answer: filters that no session matches, with the value that was probably meant, or when the newest session is from. */
export async function unmatchedFilters(
  store: Pick<PointStore, 'facet' | 'list'>,
  filter: SessionFilter,
  now: number,
): Promise<Notice[]> {
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
    const meant = known.includes(value) ? null : nearestValue(value, known);
    if (meant === null) continue;
    const message = `no session has the ${noun} "${value}": did you mean "${meant}"?`;
    notices.push({ code: UNMATCHED, message });
  }
  return [...notices, ...(await outOfTime(store, filter, now))];
}

/** If no session is of the time that is asked for: of when the newest one is. */
async function outOfTime(
  store: Pick<PointStore, 'list'>,
  { since, until, ...others }: SessionFilter,
  now: number,
): Promise<Notice[]> {
  if (since === undefined && until === undefined) return [];
  const [within, any] = await Promise.all([
    store.list({ since, until, ...others }, 1),
    store.list(others, 1),
  ]);
  const newest = any.sessions[0]?.ended_at;
  if (within.sessions.length > 0 || newest == null) return [];
  const day = (iso: string) => dayText(Date.parse(iso), now);
  const time = [
    ...(since === undefined ? [] : [`since ${day(since)}`]),
    ...(until === undefined ? [] : [`until ${day(until)}`]),
  ].join(', ');
  return [{ code: UNMATCHED, message: `no session ${time}; the newest is of ${day(newest)}` }];
}
