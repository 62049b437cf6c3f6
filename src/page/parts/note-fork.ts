import { send } from '../api/client.ts';
import { parameter } from '../route/route.ts';

/** Longest query that a fork is recorded with. */
const MAX_QUERY = 4000;

export interface ForkBody {
  turn?: number;
  folder?: string;
  query?: string;
  rank?: number;
}

/** The query in the URL and the place among its results; nothing if the session was not found by it. */
export function foundBy(rank: number | null): Pick<ForkBody, 'query' | 'rank'> {
  const query = parameter('q').trim().slice(0, MAX_QUERY);
  return rank === null || query === '' ? {} : { query, rank };
}

/** Records that the command of a fork was copied. The copy does not depend on it. */
export function noteFork(id: string, rank: number | null, at: Pick<ForkBody, 'turn' | 'folder'> = {}): void {
  const body: ForkBody = { ...at, ...foundBy(rank) };
  send('POST', `/api/v1/sessions/${encodeURIComponent(id)}/fork`, body).catch(() => undefined);
}
