import type { Understood } from '../../../domain/query/understanding.ts';
import type { Notice } from '../../../domain/search-result.ts';
import type { Outcome } from '../../../domain/session/session.ts';
import { plural } from '../../../domain/text/time-text.ts';
import type { PointStore } from '../../../ports/point-store.ts';
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

/** Whether the query's words state this filter. Excluded texts are not filters. */
export function isNamed({ kind, from }: Understood): boolean {
  return from !== null && kind !== 'not';
}

/** Why an answer is empty, or why it is not restricted to the filters in the query. */
export function restrictionNotices(said: Said, isEmpty: boolean, isUnrestricted: boolean): Notice[] {
  const named = said.understood.filter(isNamed);
  if (isUnrestricted && !isEmpty) {
    const what = said.text.trim() === '' ? 'session' : 'result';
    const message = `no ${what} matches "${named.map(({ text }) => text).join(', ')}": filter ignored`;
    return [{ code: 'NOTHING_RESTRICTED', message }];
  }
  const { texts, sessions } = said.excluded;
  if (!isEmpty || sessions === 0) return [];
  const which = texts.map((text) => `"${text}"`).join(' or ');
  const verb = sessions === 1 ? 'contains' : 'contain';
  const message = `exclusions removed every result: ${plural(sessions, 'session')} ${verb} ${which}`;
  return [{ code: 'ALL_EXCLUDED', message, hint: 'Exclude less, or search with --literal.' }];
}
