import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import type { Repository, RepositoryProbe } from '../../ports/machine.ts';
import { readRegularFile, statOf } from '../files/look-at-path.ts';
import { readRemoteUrl } from './read-config.ts';

/**
 * Reads `.git/config` without running git, because it is called for every indexed session. In worktrees and submodules, `.git` is
 * a file that points to the folder.
 */
export function createRepositoryProbe(): RepositoryProbe {
  const known = new Map<string, Repository | null>();
  return (directory, branch = null) => {
    const key = JSON.stringify([directory, branch]);
    let repository = known.get(key);
    if (repository === undefined) {
      repository = probe(directory) ?? probeGone(directory, branch);
      known.set(key, repository);
    }
    return repository;
  };
}

/** The branch checked out in a folder; null outside a repository, and if HEAD is detached. */
export function checkedOutBranch(directory: string): string | null {
  if (!isAbsolute(directory)) return null;
  for (let at = resolve(directory); ; at = dirname(at)) {
    const gitDirectory = gitDirectoryOf(at);
    if (gitDirectory !== null)
      return (
        /^ref: refs\/heads\/(.+)$/m.exec(readRegularFile(join(gitDirectory, 'HEAD'), MAX_BYTES))?.[1] ?? null
      );
    if (dirname(at) === at) return null;
  }
}

/** The repository of a worktree that was removed. */
function probeGone(directory: string, branch: string | null): Repository | null {
  const root = repositoryOfWorktree(directory);
  if (root !== null) return probe(root) ?? { root, remoteUrl: null };
  const siblings = siblingsOfWorktree(directory, branch).map((sibling) => ({
    sibling,
    found: probe(sibling),
  }));
  return siblings.find(({ sibling, found }) => found?.root === sibling)?.found ?? null;
}

function probe(directory: string): Repository | null {
  if (!isAbsolute(directory) || statOf(directory) === undefined) return null;
  for (let at = resolve(directory); ; at = dirname(at)) {
    const gitDirectory = gitDirectoryOf(at);
    if (gitDirectory !== null) {
      const common = commonDirectory(gitDirectory);
      return {
        root: common === gitDirectory ? at : mainTree(common),
        remoteUrl: readRemoteUrl(readRegularFile(join(common, 'config'), MAX_BYTES)),
      };
    }
    if (dirname(at) === at) return null;
  }
}

function gitDirectoryOf(root: string): string | null {
  const path = join(root, '.git');
  const stat = statOf(path);
  if (stat === undefined) return null;
  if (stat.isDirectory()) return path;
  const target = /^gitdir:\s*(.+)$/m.exec(readRegularFile(path, MAX_BYTES))?.[1]?.trim();
  return target === undefined ? null : resolve(root, target);
}

/** The folder shared by all worktrees of a repository; for the main worktree, the same folder. */
function commonDirectory(gitDirectory: string): string {
  const common = readRegularFile(join(gitDirectory, 'commondir'), MAX_BYTES).trim();
  return common === '' ? gitDirectory : resolve(gitDirectory, common);
}

/** A bare repository has no main work tree, so it stands for itself. */
function mainTree(common: string): string {
  return /^\.(?:git|bare)$/.test(basename(common)) ? dirname(common) : common.replace(/\.git$/, '');
}

/** Larger than any configuration, and still quick to read. */
const MAX_BYTES = 1024 * 1024;

/**
 * The repository of a deleted worktree, guessed from the worktree's path: agents, and people who use many of them, keep worktrees in a
 * few places. Null if the path does not look like one.
 */
function repositoryOfWorktree(path: string): string | null {
  for (const place of PLACES) {
    const found = place.exec(path)?.[1];
    if (found !== undefined) return found;
  }
  return null;
}

/**
 * Possible repositories next to a worktree: `shop-fix-login` with the branch `fix/login` belongs to `shop`.
 */
function siblingsOfWorktree(path: string, branch: string | null): string[] {
  const parts = /^(.*[\\/])([^\\/]+)[\\/]*$/.exec(path);
  const [, parent = '', name = ''] = parts ?? [];
  const endings = [branch, branch?.split('/').at(-1)].flatMap((one) => (one ? [slug(one)] : []));
  return endings
    .filter((ending) => slug(name).endsWith(`-${ending}`))
    .map((ending) => join(parent, name.slice(0, -ending.length - 1)));
}

/** Group 1 is the repository, followed by the worktree's own name. */
const PLACES = [
  // ~/.worktrees/<name>: the home folder is no repository
  /^((?:[A-Za-z]:)?[\\/](?:Users|home)[\\/][^\\/]+[\\/]\.worktrees[\\/][^\\/]+)/,
  // <repo>/.worktrees/<name>, <repo>/.claude/worktrees/<name>
  /^(.*[^\\/])[\\/](?:\.worktrees|\.claude[\\/]worktrees)[\\/][^\\/]+/,
  // ~/.claude-worktrees/<repo>/<name>, ~/worktrees/<repo>/<name>: only the repository's name is known
  /^(.*[\\/](?:\.[\w-]+-|(?<!\.codex[\\/]))worktrees[\\/][^\\/]+)[\\/][^\\/]+/,
  // <parent>/<repo>-worktrees/<name>
  /^(.*[\\/][^\\/.][^\\/]*?)(?:-|_|__|\.)worktrees[\\/][^\\/]+/,
];

function slug(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}
