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
const MAX_FOLDERS = 12;
const MAX_COMMITS = 300;

/**
 * Commits made in the repositories on this machine since something was left open there, whoever made them: as ideas of no session, so that
 * they close what commits of sessions close.
 */
export async function commitsSince(
  { store, git }: CommitDependencies,
  ideas: IdeaPayload[],
): Promise<IdeaPayload[]> {
  const open = ideas
    .filter(({ is_open, origin, timestamp }) => is_open === true && origin !== 'model' && timestamp !== null)
    .sort((one, other) => ((one.timestamp ?? '') < (other.timestamp ?? '') ? -1 : 1));
  if (git === undefined || open.length === 0) return [];
  const [reader, sessions] = await Promise.all([
    git(),
    store.getSessions([...new Set(open.map(({ session_id }) => session_id))]),
  ]);
  const paths = new Map(sessions.map(({ session_id, repo_path }) => [session_id, repo_path ?? '']));
  // The oldest item of each repository, and the folders in which sessions left something.
  const oldest = new Map<string, IdeaPayload>();
  const folders = new Map<string, IdeaPayload>();
  for (const idea of open) {
    const first = oldest.get(idea.repo_id) ?? idea;
    oldest.set(idea.repo_id, first);
    const path = paths.get(idea.session_id) ?? '';
    if (path !== '' && !folders.has(path)) folders.set(path, first);
  }
  const found = await Promise.all(
    [...folders].slice(0, MAX_FOLDERS).map(async ([path, idea]) => {
      const commits = await reader.since(path, idea.timestamp ?? '', MAX_COMMITS);
      return commits.filter(({ subject }) => isDelivery(subject)).map((commit) => ({ idea, commit }));
    }),
  );
  const distinct = new Map(found.flat().map((one) => [`${one.idea.repo_id} ${one.commit.hash}`, one]));
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
