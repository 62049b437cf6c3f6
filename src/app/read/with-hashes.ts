import type { Commit, SessionRecord } from '../../domain/session/session.ts';
import type { CommitFacts, GitCommits } from '../../ports/machine.ts';

/** More than most repositories get in a year. */
const MAX_COMMITS = 5000;

/** The session with the hashes that git did not print then, if its repository is on this machine and has commits with these subjects from its time. */
export async function withHashes<S extends SessionRecord>(
  git: () => Promise<Pick<GitCommits, 'since'>>,
  session: S,
): Promise<S> {
  const { commits, repo_path, started_at, ended_at } = session;
  if (repo_path === '' || started_at === null || commits.every(isNamed)) return session;
  const made = await (await git()).since(repo_path, before(started_at), MAX_COMMITS);
  const here = made.filter(({ time }) => ended_at === null || time <= ended_at);
  return { ...session, commits: namedBy(here, commits) };
}

/** git keeps whole seconds. */
function before(time: string): string {
  return new Date(Date.parse(time) - 1000).toISOString();
}

/** Newest first in both: of equal subjects, the last one in the session is the newest. */
function namedBy(made: CommitFacts[], commits: Commit[]): Commit[] {
  const left = made.filter(({ hash }) => !commits.some((one) => isNamed(one) && hash.startsWith(one.hash)));
  return commits
    .toReversed()
    .map((one) => {
      const at =
        isNamed(one) || one.subject === '' ? -1 : left.findIndex(({ subject }) => subject === one.subject);
      const [found] = at < 0 ? [] : left.splice(at, 1);
      return found === undefined ? one : { ...one, hash: found.hash };
    })
    .toReversed();
}

function isNamed({ hash }: Commit): boolean {
  return hash !== '';
}
