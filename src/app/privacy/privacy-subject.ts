import type { SessionPayload } from '../../domain/point/point.ts';
import type { SessionDraft } from '../../domain/session/draft.ts';
import { repoKey, repoName } from '../../domain/session/repository.ts';
import type { IndexState } from '../../ports/index-state.ts';
import type { RepositoryProbe } from '../../ports/machine.ts';

/** The facts that privacy rules look at. */
export interface PrivacySubject {
  /** Path of the transcript. */
  path: string;
  /** All folders the agent worked in, in order. */
  workingDirectories: string[];
  repositories: { repoKey: string | null; repoName: string | null }[];
  branches: string[];
}

type Identity = Pick<SessionPayload, 'repo_key' | 'repo_name'>;
type Draft = Pick<SessionDraft, 'workingDirectory' | 'branch' | 'places'>;

/** The subject for a session that was just read. All its places count, because the transcript mentions them all. */
export function subjectOf(
  path: string,
  identity: Identity,
  { workingDirectory, branch, places = { folders: [], branches: [] } }: Draft,
  probe: RepositoryProbe,
): PrivacySubject {
  const others = places.folders.flatMap((folder) => {
    const found = probe(folder);
    if (found === null) return [];
    const key = found.remoteUrl === null ? null : repoKey(found.remoteUrl);
    return [{ repoKey: key, repoName: repoName(key ?? found.root) }];
  });
  return {
    path,
    workingDirectories: withFirst(workingDirectory, places.folders),
    repositories: [{ repoKey: identity.repo_key, repoName: identity.repo_name }, ...others],
    branches: withFirst(branch, places.branches),
  };
}

/** The subject for a session known only by its record. */
export function recordedSubject(session: SessionPayload): PrivacySubject {
  const { jsonl_path, working_directory, repo_key, repo_name, branch } = session;
  return {
    path: jsonl_path,
    workingDirectories: withFirst(working_directory || null, []),
    repositories: [{ repoKey: repo_key, repoName: repo_name }],
    branches: withFirst(branch, []),
  };
}

/** The subject for a session in this machine's index, with all its places if its transcript was read here. */
export function indexedSubject(
  session: SessionPayload,
  state: Pick<IndexState, 'get'>,
  probe: RepositoryProbe,
): PrivacySubject {
  const draft = state.get(session.jsonl_path)?.progress.draft;
  return draft === undefined
    ? recordedSubject(session)
    : subjectOf(session.jsonl_path, session, draft, probe);
}

function withFirst(first: string | null, others: string[]): string[] {
  return first === null ? others : [...new Set([first, ...others])];
}
