import type { SessionPayload } from '../../domain/point/point.ts';
import type { SessionDraft } from '../../domain/session/draft.ts';
import { repoKey, repoName } from '../../domain/session/repository.ts';
import type { RepositoryProbe } from '../../ports/machine.ts';

/** What is known of a session before anything of it is stored. */
export interface PrivacySubject {
  /** Of the transcript. */
  path: string;
  /** Everywhere the agent worked, in the order in which it went there. */
  workingDirectories: string[];
  repositories: { repoKey: string | null; repoName: string | null }[];
  branches: string[];
}

type Identity = Pick<SessionPayload, 'repo_key' | 'repo_name'>;
type Draft = Pick<SessionDraft, 'workingDirectory' | 'branch' | 'places'>;

/** A session that was just read: everywhere it went counts, for the transcript holds all of it. */
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

/** A session of which there is its record alone. */
export function recordedSubject(session: SessionPayload): PrivacySubject {
  const { jsonl_path, working_directory, repo_key, repo_name, branch } = session;
  return {
    path: jsonl_path,
    workingDirectories: withFirst(working_directory || null, []),
    repositories: [{ repoKey: repo_key, repoName: repo_name }],
    branches: withFirst(branch, []),
  };
}

function withFirst(first: string | null, others: string[]): string[] {
  return first === null ? others : [...new Set([first, ...others])];
}
