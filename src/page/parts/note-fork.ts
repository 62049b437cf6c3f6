import { send } from '../api/client.ts';
import { parameter } from '../route/route.ts';

/** Longest query that a fork is recorded with. */
const MAX_QUERY = 4000;

/** The query in the URL and the place among its results; nothing if the session was not found by it. */
export function foundBy(rank: number | null): { query?: string; rank?: number } {
  const query = parameter('q').trim().slice(0, MAX_QUERY);
  return rank === null || query === '' ? {} : { query, rank };
}

/** Records that the command of a fork was copied. The copy does not depend on it. */
export function noteFork(id: string, rank: number | null, turn?: number): void {
  const body = { turn, ...foundBy(rank) };
  send('POST', `/api/v1/sessions/${encodeURIComponent(id)}/fork`, body).catch(() => undefined);
}
