import { SmartForkError } from '../../domain/errors.ts';
import { commitStart, hashIn } from '../../domain/session/commit-hash.ts';
import type { GitCommits, RepositoryProbe } from '../../ports/machine.ts';
import { folderFilter } from '../search/repository-filter.ts';
import { type FindMakersDependencies, findMakers, type KnownCommit, type Maker } from './find-makers.ts';

export interface TraceDependencies extends FindMakersDependencies {
  git: GitCommits;
  probe: RepositoryProbe;
}

export interface TracedCommit {
  commit: KnownCommit;
  sessions: Maker[];
}

/**
 * Finds the sessions that made a commit.
 * @param revision anything that git understands in the folder (HEAD~2, a tag), or a hash of at least seven digits
 * @throws SmartForkError USAGE
 */
export async function traceCommit(
  deps: TraceDependencies,
  revision: string,
  directory: string,
): Promise<TracedCommit> {
  const known = revision.startsWith('-') ? null : await deps.git.commit(directory, revision);
  const isRepository = deps.probe(directory) !== null;
  const commit = known ?? (await recordedCommit(deps, revision, isRepository));
  const repo = known === null || !isRepository ? null : folderFilter(directory, deps.probe);
  return { commit, sessions: await findMakers(deps, commit, { repo }) };
}

/** A commit in another repository, as recorded by sessions. */
async function recordedCommit(
  { store }: TraceDependencies,
  revision: string,
  isRepository: boolean,
): Promise<KnownCommit> {
  if (!/^[0-9a-f]{7,64}$/i.test(revision)) {
    const message = isRepository
      ? `"${revision}" is not a commit of this repository`
      : `cannot look up "${revision}": this folder is not in a git repository`;
    throw new SmartForkError('USAGE', message, {
      hint: 'Give a hash of at least seven digits, or run the command in the repository.',
    });
  }
  const hash = revision.toLowerCase();
  const { sessions } = await store.list({ commit: commitStart(hash) }, 1);
  const recorded = sessions[0]?.commits.find((one) => hashIn(one, hash) !== undefined);
  return { hash, subject: recorded?.subject ?? null, time: null };
}
