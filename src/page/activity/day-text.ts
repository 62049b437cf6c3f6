import type { ActiveDay } from '../api/types.ts';
import { count } from '../parts/format.ts';

/** What a day has: sessions that ended on it, which may have made their commits on an earlier one. */
export function countsOf({ sessions, commits }: Pick<ActiveDay, 'sessions' | 'commits'>): string {
  const ended = sessions.length > 0 ? [`${count(sessions.length, 'session')} ended`] : [];
  const whose = sessions.length === 1 ? 'it' : 'them';
  const made = commits.length > 0 ? [`${count(commits.length, 'commit')} in ${whose}`] : [];
  return [...ended, ...made].join(', ');
}
