import type { Scope, SessionFilter } from '../../domain/search/search.ts';
import { repoId, repoKey, repoName } from '../../domain/session/repository.ts';
import type { RepositoryProbe } from '../../ports/machine.ts';
import { type DamageReader, damagedIn, type PointStore, type SharedStore } from '../../ports/point-store.ts';
import { matchesRepository } from './repository-filter.ts';

/** The repository whose sessions alone may be seen. */
export interface Limit {
  repo_id: string;
  repo_key?: string;
  repo_name: string;
}

/** No session is in it. */
const NOWHERE: Limit = { repo_id: '-', repo_name: '' };

/** Null for no limit. Without a project, nothing may be seen. */
export function limitOf(scope: Scope, project: string | null, probe: RepositoryProbe): Limit | null {
  if (scope === 'all') return null;
  if (project === null) return NOWHERE;
  const repository = probe(project);
  const root = repository?.root ?? project;
  const key = repository?.remoteUrl == null || scope === 'project' ? null : repoKey(repository.remoteUrl);
  return { repo_id: repoId(root), repo_key: key ?? undefined, repo_name: repoName(root) };
}

type Located = { repo_id: string; repo_key: string | null; repo_name: string };

export function isWithin({ repo_id, repo_key }: Limit, session: Located): boolean {
  return matchesRepository({ repo_id, repo_key }, session);
}

/** The same for the session of a transcript. */
export function isFolderWithin(limit: Limit, folder: string | null, probe: RepositoryProbe): boolean {
  const located = limitOf('repository', folder, probe);
  return located !== null && isWithin(limit, { ...located, repo_key: located.repo_key ?? null });
}

/** A store in which other repositories' sessions do not exist. Only what is asked of sessions as a whole, such as a word's frequency, counts them. */
export function limitStore(store: PointStore | SharedStore, limit: Limit): PointStore {
  const within = (filter: SessionFilter = {}): SessionFilter => ({
    ...filter,
    repo: narrow(filter.repo, limit),
  });
  const visible = async <T extends Located>(sessions: Promise<T[]>): Promise<T[]> =>
    (await sessions).filter((session) => isWithin(limit, session));
  const limited: PointStore & DamageReader = {
    ...store,
    listDamaged: (filter) => visible(damagedIn(store, filter)),
    getSessions: (ids) => visible(store.getSessions(ids)),
    findByIdPrefix: (prefix, most) => visible(store.findByIdPrefix(prefix, most)),
    list: (filter, most, cursor) => store.list(within(filter), most, cursor),
    count: (filter, options) => store.count(within(filter), options),
    facet: (field, filter) => store.facet(field, within(filter)),
    find: ({ filter, memory, ...query }) =>
      store.find({
        ...query,
        filter: within(filter),
        memory: memory && { ...memory, sessions: within(memory.sessions) },
      }),
    listMemory: (type, filter, most) =>
      store.listMemory(type, { ...filter, sessions: within(filter.sessions) }, most),
  };
  if (!('forOneSearch' in store)) return limited;
  return { ...limited, forOneSearch: () => limitStore(store.forOneSearch(), limit) } as SharedStore;
}

/** What both a filter and the limit select. */
function narrow(asked: SessionFilter['repo'], limit: Limit): NonNullable<SessionFilter['repo']> {
  const { repo_id, repo_key, repo_name } = limit;
  if (asked === undefined) return { repo_id, repo_key };
  const isSame = (one: string | undefined, other: string | undefined) =>
    one !== undefined && one.toLowerCase() === other?.toLowerCase();
  const isId = isSame(asked.repo_id, repo_id);
  const isKey = isSame(asked.repo_key, repo_key);
  const isName = isSame(asked.repo_name, repo_name);
  if (!isId && !isKey && !isName) return { repo_id: NOWHERE.repo_id };
  return { repo_id, repo_key: isKey || isName ? repo_key : undefined };
}
