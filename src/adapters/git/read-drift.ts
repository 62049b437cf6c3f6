import type { DriftRequest, GitDrift, ReadDrift } from '../../ports/machine.ts';
import { findChanges } from './find-changes.ts';
import { type Git, type GitProgram, gitIn } from './run-git.ts';

/** Reads objects and references with the user's git. Runs nothing that a repository contains or configures. */
export function createDriftReader(program: GitProgram): ReadDrift {
  return async (request) => {
    const git = gitIn(request.directory, program);
    const root = await git('rev-parse', '--show-toplevel');
    if (!root) return null;
    const [branch, branch_exists, base] = await Promise.all([
      git('symbolic-ref', '--short', '--quiet', 'HEAD'),
      hasBranch(git, request.branch),
      findBase(git, request),
    ]);
    if (base === null)
      return { branch, branch_exists, commits_since: null, changed_files: [], unknown_files: [] };
    const [commits, { changed, unknown }] = await Promise.all([
      git('rev-list', '--count', `${base}..HEAD`),
      findChanges(gitIn(root, program), root, base, request),
    ]);
    return {
      branch,
      branch_exists,
      commits_since: commits === null ? null : Number(commits),
      changed_files: changed,
      unknown_files: unknown,
    } satisfies GitDrift;
  };
}

async function hasBranch(git: Git, branch: string | null): Promise<boolean | null> {
  if (branch === null || branch === 'HEAD') return null;
  return (await git('rev-parse', '--verify', '--quiet', `refs/heads/${branch}`)) !== null;
}

/** The session's last commit if it is still in the history, else the last commit before the session's end. */
async function findBase(git: Git, { commit, time }: DriftRequest): Promise<string | null> {
  if (commit !== null && /^[0-9a-f]{7,40}$/.test(commit)) {
    const known = await git('merge-base', commit, 'HEAD');
    if (known?.startsWith(commit)) return known;
  }
  return time === null ? null : (await git('rev-list', '-1', `--before=${time}`, 'HEAD')) || null;
}
