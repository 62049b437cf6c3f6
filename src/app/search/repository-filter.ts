import { resolve } from 'node:path';
import { SEVERAL_REPOSITORIES } from '../../domain/outage.ts';
import type { SessionFilter } from '../../domain/search/search.ts';
import type { Notice } from '../../domain/search-result.ts';
import { isSamePath, repoId, repoKey, repoName } from '../../domain/session/repository.ts';
import { plural } from '../../domain/text/time-text.ts';
import type { RepositoryProbe } from '../../ports/machine.ts';
import { eachSession, type PointStore } from '../../ports/point-store.ts';

type RepositoryFilter = NonNullable<SessionFilter['repo']>;

/** A repository that is compared with sessions here and not in a store, so its path need not be hashed. */
export type PreferredRepository = RepositoryFilter & { repo_path?: string };

/**
 * Matches a repository given as a path, `host/owner/name`, `owner/name` or a plain name. A path matches by folder and by remote, so
 * that clones elsewhere are found too. `owner/name` gets its host from the newest matching session.
 */
export async function repositoryFilter(
  repo: string,
  probe: RepositoryProbe,
  store: () => Promise<Pick<PointStore, 'list'> | null>,
): Promise<RepositoryFilter> {
  if (isPath(repo)) return folderFilter(resolve(repo), probe);
  const key = repo.toLowerCase().replace(/\.git$/, '');
  if (/^[^/\s.]+\.[^/\s]+\/[^/\s]+\//.test(key)) return { repo_key: key };
  if (!key.includes('/')) return { repo_name: repo };
  return { repo_key: (await hostedKey(key, await store())) ?? key };
}

/** Sessions of repositories named like the folder, for one given as a path that has none: a repository may have moved. */
export async function countNamesakes(
  repo: string,
  probe: RepositoryProbe,
  store: Pick<PointStore, 'count'>,
): Promise<{ name: string; sessions: number } | null> {
  if (!isPath(repo)) return null;
  const folder = resolve(repo);
  const name = repoName(probe(folder)?.root ?? folder);
  const { sessions } = await store.count({ repo: { repo_name: name } });
  return sessions === 0 ? null : { name, sessions };
}

/** If sessions of several repositories have the name that was typed: which, and how to choose one. */
export async function severalNamed(name: string, store: Pick<PointStore, 'list'>): Promise<Notice | null> {
  if (isPath(name) || name.includes('/')) return null;
  const places = new Map<string, number>();
  const keys = new Map<string, string>();
  for await (const one of eachSession(store, { repo: { repo_name: name } }, MAX_NAMED)) {
    const { repo_id, repo_key, repo_path, working_directory } = one;
    if (repo_key !== null) keys.set(repo_id, repo_key);
    const place = keys.get(repo_id) ?? (repo_path || working_directory);
    places.set(place, (places.get(place) ?? 0) + 1);
  }
  if (places.size < 2) return null;
  const listed = [...places].map(([place, sessions]) => `${place} (${plural(sessions, 'session')})`);
  const shown = [...listed.slice(0, MAX_PLACES), ...(listed.length > MAX_PLACES ? ['…'] : [])];
  return {
    code: SEVERAL_REPOSITORIES,
    message: `${listed.length} repositories are called ${name}: ${shown.join(', ')}`,
    hint: 'Give one as owner/name or as a path.',
  };
}

const MAX_PLACES = 4;

/** Whether a repository is given as a path. */
export function isPath(repo: string): boolean {
  return /^(?:\.{1,2}(?:$|[\\/])|[\\/~]|[A-Za-z]:[\\/])/.test(repo);
}

const MAX_NAMED = 1000;

/** Completes a key with its host, as found in the store's newest sessions of that name. */
async function hostedKey(key: string, store: Pick<PointStore, 'list'> | null): Promise<string | null> {
  if (store === null) return null;
  const named = { repo: { repo_name: repoName(key) } };
  for await (const { repo_key } of eachSession(store, named, MAX_NAMED))
    if (repo_key?.endsWith(`/${key}`)) return repo_key;
  return null;
}

/** Matches a folder's repository, here and in clones elsewhere. */
export function folderFilter(folder: string, probe: RepositoryProbe): RepositoryFilter {
  const repository = probe(folder);
  const key = repository?.remoteUrl == null ? null : repoKey(repository.remoteUrl);
  return { repo_id: repoId(repository?.root ?? folder), repo_key: key ?? undefined };
}

/** Matches the repository that contains a folder; null outside any. */
export function repositoryAround(folder: string, probe: RepositoryProbe): RepositoryFilter | null {
  return probe(folder) === null ? null : folderFilter(folder, probe);
}

/**
 * As `repositoryAround`, for preferring its sessions. Not hashing the path saves 3 ms per search, which needs Node's crypto for
 * nothing else.
 */
export function preferredAround(folder: string, probe: RepositoryProbe): PreferredRepository | null {
  const repository = probe(folder);
  if (repository === null) return null;
  const key = repository.remoteUrl === null ? null : repoKey(repository.remoteUrl);
  return { repo_path: repository.root, repo_key: key ?? undefined };
}

/** Whether a repository passes the filter. Names and keys are compared without case, as in stores. */
export function matchesRepository(
  filter: PreferredRepository,
  repository: { repo_id: string; repo_key: string | null; repo_name: string; repo_path?: string },
): boolean {
  const isSame = (one: string | null | undefined, other: string | null) =>
    one != null && one.toLowerCase() === other?.toLowerCase();
  return (
    isSame(filter.repo_id, repository.repo_id) ||
    (filter.repo_path !== undefined && isAt(filter.repo_path, repository)) ||
    isSame(filter.repo_key, repository.repo_key) ||
    isSame(filter.repo_name, repository.repo_name) ||
    (filter.repo_key !== undefined && repository.repo_key?.endsWith(`/${filter.repo_key}`) === true)
  );
}

/** Handles records without a path. */
function isAt(path: string, repository: { repo_id: string; repo_path?: string }): boolean {
  return repository.repo_path ? isSamePath(path, repository.repo_path) : repoId(path) === repository.repo_id;
}
