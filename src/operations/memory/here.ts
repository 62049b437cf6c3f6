import { repositoryAround } from '../../app/search/repository-filter.ts';
import { UNMATCHED } from '../../domain/outage.ts';
import type { SessionFilter } from '../../domain/search/search.ts';
import type { Notice } from '../../domain/search-result.ts';
import type { Caller } from '../caller.ts';
import { flag } from '../fields.ts';
import { type FilterInput, filterOf } from '../filters.ts';
import type { Open } from '../open.ts';

export const everywhere = flag({
  about: 'of all repositories: by default of the current one, if it has sessions',
});

const NONE_HERE: Notice = {
  code: UNMATCHED,
  message: 'no session is of the current repository: those of all repositories are shown',
};

export interface Here {
  filter: SessionFilter;
  /** The current repository's name, if it was chosen because none was given. */
  repository: string | null;
  /** That the current repository has no sessions, so that all are shown. */
  notices: Notice[];
}

/** The filter that a caller gives; without a repository, the caller's own if it has sessions. */
export async function filterHere(
  open: Open,
  { everywhere: isEverywhere, ...given }: FilterInput & { everywhere?: boolean },
  caller: Caller,
): Promise<Here> {
  const filter = await filterOf(open, given, caller);
  const isChosen = isEverywhere === true || given.repo !== undefined || !open.settings.preferRepository;
  const project = isChosen ? null : await caller.project();
  const repo = project === null ? null : repositoryAround(project, open.probe);
  if (repo === null) return { filter, repository: null, notices: [] };
  const [session] = (await (await open.store()).list({ repo }, 1)).sessions;
  return session === undefined
    ? { filter, repository: null, notices: [NONE_HERE] }
    : { filter: { ...filter, repo }, repository: session.repo_name, notices: [] };
}
