import type { SessionFilter } from '../../domain/search/search.ts';
import { setFields } from '../../domain/set-fields.ts';
import { nearestValue } from '../../domain/text/nearest-value.ts';
import { dayText } from '../../domain/text/time-text.ts';
import type { PointStore } from '../../ports/point-store.ts';

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
