import type { SessionPayload } from '../../domain/point/point.ts';
import type { PointStore } from '../../ports/point-store.ts';

const PAGE = 500;

/** The indexed sessions that were forked from this one: in its repository, and not older than it. Newest first. */
export async function findForks(store: PointStore, session: SessionPayload): Promise<SessionPayload[]> {
  const { session_id, repo_id, repo_key, started_at } = session;
  const filter = {
    repo: { repo_id, ...(repo_key !== null && { repo_key }) },
    ...(started_at !== null && { since: started_at }),
  };
  const forks: SessionPayload[] = [];
  let cursor: string | undefined;
  do {
    const page = await store.list(filter, PAGE, cursor);
    forks.push(...page.sessions.filter(({ parent }) => parent?.session_id === session_id));
    cursor = page.cursor ?? undefined;
  } while (cursor !== undefined);
  return forks;
}
