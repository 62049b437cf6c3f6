import { useEffect, useRef } from 'preact/hooks';
import { get } from '../api/client.ts';
import { changedSession, indexing } from '../api/live.ts';
import type { SearchAnswer, SessionPage } from '../api/types.ts';
import { useAnswer } from '../api/use-answer.ts';
import { numberParameter, parameter } from '../route/route.ts';
import { currentFilters } from './filters.ts';

export const PAGE_SIZE = 20;
/** The server returns no more at once. */
export const MAX_RESULTS = 200;
const TYPING_MS = 90;

/** The answer to the search in the URL; null data without a query. */
export function useSearch() {
  const q = parameter('q').trim();
  const limit = Math.min(MAX_RESULTS, (numberParameter('pages') ?? 1) * PAGE_SIZE);
  const values = {
    q,
    limit,
    facets: 1,
    ...currentFilters(),
    everywhere: parameter('everywhere'),
    literal: parameter('literal'),
  };
  return useAnswer<SearchAnswer>(
    q === '' ? null : JSON.stringify(values),
    (abort) => get('/api/v1/search', values, abort),
    { delayMs: TYPING_MS, scope: q === '' ? 'none' : 'search' },
  );
}

/** The newest sessions, with the same filters. A session that is being written appears on its own. */
export function useNewest() {
  const q = parameter('q').trim();
  const limit = (numberParameter('pages') ?? 1) * 40;
  // `/sessions` supports all of these filters except the outcome, which only a search knows.
  const { outcome: _, ...filters } = currentFilters();
  const answer = useAnswer<SessionPage>(
    q !== '' ? null : JSON.stringify([filters, limit]),
    (abort) => get('/api/v1/sessions', { limit: Math.min(MAX_RESULTS, limit), ...filters }, abort),
    { scope: q === '' ? 'newest' : 'none' },
  );
  useEffect(() => changedSession.subscribe((changed) => changed !== null && answer.reload()), []);
  // While a new machine is indexed, older sessions appear too.
  const sessions = indexing.value?.sessions;
  const before = useRef(sessions);
  useEffect(() => {
    if (before.current !== undefined && before.current !== sessions) answer.reload();
    before.current = sessions;
  }, [sessions]);
  return answer;
}
