import type { SessionPayload } from '../../src/domain/point/point.ts';
import type { Query } from './read-queries.ts';

/** A commit made later than this after a session may be someone else's work. */
const SOON_MS = 3_600_000;

/** Whether a commit's label can be trusted: a right session edited files, and the commit was made during it or soon after. */
export function isTrustworthy({ time, sessions: right }: Query, sessions: SessionPayload[]): boolean {
  return sessions.some(
    ({ session_id, started_at, ended_at, files_touched }) =>
      right.includes(session_id) &&
      files_touched.length > 0 &&
      time !== null &&
      time >= Date.parse(started_at ?? '') &&
      time <= Date.parse(ended_at ?? '') + SOON_MS,
  );
}
