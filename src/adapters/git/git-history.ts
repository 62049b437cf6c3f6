import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import type { DriftRequest, GitDrift, GitHistory } from '../../ports/machine.ts';
import { statOf } from '../files/look-at-path.ts';

const TIMEOUT_MS = 5000;
const MAX_OUTPUT = 16 * 1024 * 1024;
/** A file written within a minute of the session's last line counts as the session's own change. */
const LEEWAY_MS = 60_000;

/** Runs the user's git without taking locks, and without running programs named in a repository's configuration. */
export function createGitHistory(): GitHistory {
  return async (request) => {
    const git = runnerFor(request.directory);
    if ((await git('rev-parse', '--is-inside-work-tree')) !== 'true') return null;
    const [branch, branch_exists, base] = await Promise.all([
      git('symbolic-ref', '--short', '--quiet', 'HEAD'),
      hasBranch(git, request.branch),
      findBase(git, request),
    ]);
    if (base === null) return { branch, branch_exists, commits_since: null, changed_files: [] };
    const [commits, changed_files] = await Promise.all([
      git('rev-list', '--count', `${base}..HEAD`),
      findChanges(git, base, request),
    ]);
    return {
      branch,
      branch_exists,
      commits_since: commits === null ? null : Number(commits),
      changed_files,
    } satisfies GitDrift;
  };
}

/** Resolves to git's output without trailing white space; null if git failed or printed nothing. */
type Git = (...args: string[]) => Promise<string | null>;

function runnerFor(directory: string): Git {
  const run = promisify(execFile);
  const options = ['--no-optional-locks', '-c', 'core.fsmonitor=false', '-c', 'core.quotePath=false'];
  return async (...args) => {
    try {
      const limits = { cwd: directory, timeout: TIMEOUT_MS, maxBuffer: MAX_OUTPUT, windowsHide: true };
      const { stdout } = await run('git', [...options, ...args], limits);
      return stdout.trimEnd() || null;
    } catch {
      // No git, no repository or no such commit: there is nothing to report.
      return null;
    }
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
  return time === null ? null : git('rev-list', '-1', `--before=${time}`, 'HEAD');
}

async function findChanges(git: Git, base: string, request: DriftRequest): Promise<string[]> {
  if (request.files.length === 0) return [];
  const changed = await git('diff', '--name-only', '--no-ext-diff', '--no-textconv', '-z', base, '--');
  const root = await git('rev-parse', '--show-toplevel');
  if (changed === null || root === null) return [];
  const paths = new Set(changed.split('\0').map((path) => resolve(root, path)));
  const ended = request.time === null ? null : Date.parse(request.time);
  return request.files.filter((file) => {
    const path = resolve(request.directory, file);
    return paths.has(path) && isNewer(path, ended);
  });
}

function isNewer(path: string, ended: number | null): boolean {
  const stat = statOf(path);
  return stat === undefined || ended === null || stat.mtimeMs > ended + LEEWAY_MS;
}
