import { isDelivery } from '../../domain/memory/extract/evidence/read-commits.ts';
import type { IdeaPayload } from '../../domain/point/point.ts';
import type { GitCommits } from '../../ports/machine.ts';
import type { PointStore } from '../../ports/point-store.ts';

export interface CommitDependencies {
  store: Pick<PointStore, 'getSessions'>;
  /** Without it, no commits are read. */
  git?: () => Promise<Pick<GitCommits, 'since'>>;
}

/** Reading commits takes a run of git for each. */
const MAX_REPOSITORIES = 8;
const MAX_COMMITS = 300;

/**
 * Commits made in the repositories on this machine since something was left open there, whoever made them: as ideas of no session, so that
 * they close what commits of sessions close.
 */
export async function commitsSince(
  { store, git }: CommitDependencies,
  ideas: IdeaPayload[],
): Promise<IdeaPayload[]> {
  const oldest = new Map<string, IdeaPayload>();
  for (const idea of ideas)
    if (idea.is_open === true && idea.timestamp !== null && idea.origin !== 'model')
      if (idea.timestamp < (oldest.get(idea.repo_id)?.timestamp ?? '~')) oldest.set(idea.repo_id, idea);
  if (git === undefined || oldest.size === 0) return [];
  const left = [...oldest.values()].slice(0, MAX_REPOSITORIES);
  const [reader, sessions] = await Promise.all([
    git(),
    store.getSessions(left.map(({ session_id }) => session_id)),
  ]);
  const paths = new Map(sessions.map(({ session_id, repo_path }) => [session_id, repo_path]));
  const found = await Promise.all(
    left.map(async (idea) => {
      const path = paths.get(idea.session_id) ?? '';
      const commits = path === '' ? [] : await reader.since(path, idea.timestamp ?? '', MAX_COMMITS);
      return commits.filter(({ subject }) => isDelivery(subject)).map((commit) => ({ idea, commit }));
    }),
  );
  return found.flat().map(
    ({ idea, commit: { hash, subject, time } }, at): IdeaPayload => ({
      ...idea,
      session_id: '',
      chunk_index: at,
      kind: 'conclusion',
      evidence: 'commit',
      content: `Committed: ${subject}`,
      quote: subject,
      is_open: null,
      entities: [`commit:${hash.slice(0, 7)}`],
      relations: [],
      options: undefined,
      timestamp: time,
    }),
  );
}
