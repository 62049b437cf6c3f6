import { resolve } from 'node:path';
import type { SessionFilter } from '../../domain/search/search.ts';
import { repoId, repoKey } from '../../domain/session/repository.ts';
import type { RepositoryProbe } from '../../ports/machine.ts';

/**
 * Matches a repository given as a path, `host/owner/name` or a plain name. A path matches its folder and its remote, so that
 * clones elsewhere are found too.
 */
export function repositoryFilter(repo: string, probe: RepositoryProbe): NonNullable<SessionFilter['repo']> {
  if (/^(?:\.{1,2}(?:$|[\\/])|[\\/~]|[A-Za-z]:[\\/])/.test(repo)) return folderFilter(resolve(repo), probe);
  if (/^[^/\s]+\.[^/\s]+\/[^/\s]+\//.test(repo))
    return { repo_key: repo.toLowerCase().replace(/\.git$/, '') };
  return { repo_name: repo };
}

/** Matches the repository of a folder, here and in clones elsewhere. */
export function folderFilter(folder: string, probe: RepositoryProbe): NonNullable<SessionFilter['repo']> {
  const repository = probe(folder);
  const key = repository?.remoteUrl == null ? null : repoKey(repository.remoteUrl);
  return { repo_id: repoId(repository?.root ?? folder), ...(key !== null && { repo_key: key }) };
}
