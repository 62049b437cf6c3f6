import { join } from 'node:path';

/**
 * The repository of a deleted worktree, guessed from the worktree's path: agents, and people who use many of them, keep worktrees in a
 * few places. Null if the path does not look like one.
 */
export function repositoryOfWorktree(path: string): string | null {
  for (const place of PLACES) {
    const found = place.exec(path)?.[1];
    if (found !== undefined) return found;
  }
  return null;
}

/**
 * Possible repositories next to a worktree: `shop-fix-login` with the branch `fix/login` belongs to `shop`.
 */
export function siblingsOfWorktree(path: string, branch: string | null): string[] {
  const parts = /^(.*[\\/])([^\\/]+)[\\/]*$/.exec(path);
  const [, parent = '', name = ''] = parts ?? [];
  const endings = [branch, branch?.split('/').at(-1)].flatMap((one) => (one ? [slug(one)] : []));
  return endings
    .filter((ending) => slug(name).endsWith(`-${ending}`))
    .map((ending) => join(parent, name.slice(0, -ending.length - 1)));
}

/** Group 1 is the repository, followed by the worktree's own name. */
const PLACES = [
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
