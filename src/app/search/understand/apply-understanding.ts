import { NOTHING_RESTRICTED } from '../../../domain/outage.ts';
import type { Understood } from '../../../domain/query/understanding.ts';
import type { Notice } from '../../../domain/search-result.ts';
import type { Outcome } from '../../../domain/session/session.ts';
import { plural } from '../../../domain/text/time-text.ts';
import type { PointStore } from '../../../ports/point-store.ts';
import { nothingText, timeTexts } from '../unmatched-filters.ts';
import type { Said } from './understand-request.ts';

/** Filters here, because stores cannot filter by outcome; a sealed store does not even know it. */
export async function keepOutcomes<T extends { session_id: string }>(
  store: Pick<PointStore, 'getSessions'>,
  ranked: T[],
  outcomes: Outcome[] | null,
): Promise<T[]> {
  if (outcomes === null || ranked.length === 0) return ranked;
  const sessions = await store.getSessions(ranked.map(({ session_id }) => session_id));
  const kept = new Set(
    sessions.filter(({ outcome }) => outcomes.includes(outcome)).map(({ session_id }) => session_id),
  );
  return ranked.filter(({ session_id }) => kept.has(session_id));
}

/** Whether the query's words state this filter. Excluded texts are not filters, nor is what is searched for. */
export function isNamed({ kind, from, unknown }: Understood): boolean {
  return unknown !== true && from !== null && kind !== 'not' && kind !== 'text';
}

/** The conditions that restrict an answer, and apart from them those of the query that were ignored: they matched nothing, or name nothing. */
export function understoodAs(
  all: Understood[],
  isIgnored: boolean,
): { understood: Understood[]; ignored?: Understood[] } {
  const isLeftOut = (one: Understood) => one.unknown === true || (isIgnored && isNamed(one));
  const ignored = all.filter(isLeftOut).map(({ unknown, ...one }) => one);
  const understood = all.filter((one) => !isLeftOut(one));
  return ignored.length === 0 ? { understood } : { understood, ignored };
}

/**
 * Why an answer is empty, or why it is not restricted to the filters in the query.
 * @param newest for an answer that is not restricted, when the newest session ended if none is of the time in the query, or null
 */
export function restrictionNotices(
  said: Said,
  { isEmpty, newest, now }: { isEmpty: boolean; newest: string | null | undefined; now: number },
): Notice[] {
  if (newest !== undefined && !isEmpty) {
    const others = said.understood.filter(
      (one) => isNamed(one) && one.kind !== 'since' && one.kind !== 'until',
    );
    const conditions = [...others.map(({ text }) => text), ...timeTexts(said.filter, now)];
    return [{ code: NOTHING_RESTRICTED, message: nothingText(conditions, newest, now) }];
  }
  const { texts, outside, sessions } = said.excluded;
  if (!isEmpty || sessions === 0) return [];
  const [contain, are] = sessions === 1 ? ['contains', 'is'] : ['contain', 'are'];
  const which = [
    ...(texts.length === 0 ? [] : [`${contain} ${texts.map((text) => `"${text}"`).join(' or ')}`]),
    ...(outside.length === 0 ? [] : [`${are} ${outside.join(' or ')}`]),
  ].join(' or ');
  const message = `exclusions removed every result: ${plural(sessions, 'session')} ${which}`;
  return [{ code: 'ALL_EXCLUDED', message, hint: 'Exclude less, or search with --literal.' }];
}
