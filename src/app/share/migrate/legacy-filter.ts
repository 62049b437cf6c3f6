import type { SessionFilter } from '../../../domain/search/search.ts';
import { isoTime } from '../../../domain/text/iso-time.ts';
import { identityOf, type LegacySession } from './legacy-sessions.ts';

/** Which sessions of the Python program pass. Of branches, files, tags and markers nothing is known. */
export function filterSessions(sessions: LegacySession[], filter: SessionFilter): LegacySession[] {
  const { agent, branch, file, tag, marker } = filter;
  if (branch || file || tag || marker || (agent && agent !== 'claude')) return [];
  const only = filter.sessionIds && new Set(filter.sessionIds);
  const never = new Set(filter.excludeSessionIds);
  return sessions.filter(
    (session) =>
      (!only || only.has(session.session_id)) &&
      !never.has(session.session_id) &&
      (!filter.machine || identityOf(session).machine === filter.machine) &&
      isOfRepository(session, filter.repo) &&
      isInTime(session, filter),
  );
}

function isOfRepository(session: LegacySession, repo: SessionFilter['repo']): boolean {
  if (repo === undefined) return true;
  const same = (value: string, wanted: string | undefined) => value.toLowerCase() === wanted?.toLowerCase();
  return same(session.repo_id, repo.repo_id) || same(session.repo_name, repo.repo_name);
}

function isInTime({ timestamp }: LegacySession, { since, until, asOf }: SessionFilter): boolean {
  const notBefore = !since || (timestamp !== null && timestamp >= isoTime(since));
  const notAfter = [until, asOf].every((end) => !end || (timestamp !== null && timestamp <= isoTime(end)));
  return notBefore && notAfter;
}
