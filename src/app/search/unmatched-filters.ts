import { UNMATCHED } from '../../domain/outage.ts';
import type { SessionFilter } from '../../domain/search/search.ts';
import type { Notice } from '../../domain/search-result.ts';
import { setFields } from '../../domain/set-fields.ts';
import { nearestValue } from '../../domain/text/nearest-value.ts';
import { dayText } from '../../domain/text/time-text.ts';
import type { FacetField, PointStore } from '../../ports/point-store.ts';
import { countFilters } from './count-filters.ts';

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

/** `no session has the repository "web-shp": did you mean "web-shop"?`, `no session has the agent "foo", only claude and codex` */
export function unmatchedText(noun: string, value: string, known: string[]): string {
  const meant = nearestValue(value, known);
  const isFew = known.length > 0 && known.length <= FEW;
  const others = isFew ? `, only ${ALL.format(known)}` : '';
  return `no session has the ${noun} "${value}"${meant === null ? others : `: did you mean "${meant}"?`}`;
}

/** How many names fit on a line. */
const FEW = 4;
const ALL = new Intl.ListFormat('en');

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

/** When the newest session ended, if none is of the filter's time; null otherwise. */
export async function newestOutside(
  store: Pick<PointStore, 'list'>,
  { since, until, ...others }: SessionFilter,
): Promise<string | null> {
  if (since === undefined && until === undefined) return null;
  const [within, any] = await Promise.all([
    store.list(setFields({ since, until, ...others }), 1),
    store.list(others, 1),
  ]);
  return within.sessions.length > 0 ? null : (any.sessions[0]?.ended_at ?? null);
}

/** `nothing since Nov 15; the newest session is from Jul 1`. */
export function nothingText(conditions: string[], newest: string | null, now: number): string {
  const rest =
    newest === null
      ? 'the closest are without that filter'
      : `the newest session is from ${dayText(Date.parse(newest), now)}`;
  return `nothing ${conditions.join(', ')}; ${rest}`;
}

/** `since Nov 15`, `on Nov 25`, `from Nov 16 to Nov 22`. */
export function timeTexts({ since, until }: Pick<SessionFilter, 'since' | 'until'>, now: number): string[] {
  const [first, last] = [since, until].map((iso) =>
    iso === undefined ? null : dayText(Date.parse(iso), now),
  );
  if (first != null && first === last) return [`on ${first}`];
  if (first != null && last != null) return [`from ${first} to ${last}`];
  return [...(first == null ? [] : [`since ${first}`]), ...(last == null ? [] : [`until ${last}`])];
}
