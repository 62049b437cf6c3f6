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
const MAX_CLONES = 12;
const MAX_COMMITS = 300;

/**
 * Commits made in the repositories on this machine since something was left open there, whoever made them: as ideas of no session, so that
 * they close what commits of sessions close.
 */
export async function commitsSince(
  { store, git }: CommitDependencies,
  ideas: IdeaPayload[],
): Promise<IdeaPayload[]> {
  const oldest = new Map<string, string>();
  for (const idea of ideas)
    if (idea.is_open === true && idea.timestamp !== null && idea.origin !== 'model')
      if (idea.timestamp < (oldest.get(repositoryOf(idea)) ?? '~'))
        oldest.set(repositoryOf(idea), idea.timestamp);
  if (git === undefined || oldest.size === 0) return [];
  // One for each clone: what is left in one may be done in another.
  const clones = new Map(
    ideas.filter((idea) => oldest.has(repositoryOf(idea))).map((idea) => [idea.repo_id, idea]),
  );
  const asked = [...clones.values()].slice(0, MAX_CLONES);
  const [reader, sessions] = await Promise.all([
    git(),
    store.getSessions(asked.map(({ session_id }) => session_id)),
  ]);
  const paths = new Map(sessions.map(({ session_id, repo_path }) => [session_id, repo_path]));
  const found = await Promise.all(
    asked.map(async (idea) => {
      const path = paths.get(idea.session_id) ?? '';
      const since = oldest.get(repositoryOf(idea)) ?? '';
      const commits = path === '' ? [] : await reader.since(path, since, MAX_COMMITS);
      return commits.filter(({ subject }) => isDelivery(subject)).map((commit) => ({ idea, commit }));
    }),
  );
  const distinct = new Map(found.flat().map((one) => [`${repositoryOf(one.idea)} ${one.commit.hash}`, one]));
  return [...distinct.values()].map(
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

function repositoryOf({ repo_key, repo_id }: IdeaPayload): string {
  return repo_key ?? repo_id;
}
