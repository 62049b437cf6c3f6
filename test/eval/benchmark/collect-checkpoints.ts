import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { z } from 'zod';

/**
 * Makes a corpus of a clone whose branch `entire/checkpoints/v1` holds the transcripts of its commits, as the tool Entire writes them:
 * `<2 digits>/<10 digits>/<n>/full.jsonl`, named by the trailer `Entire-Checkpoint` of a commit. Adds to a folder that exists.
 */
export function collectCheckpoints(clone: string, folder: string): { sessions: number; commits: number } {
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', clone, ...args], { encoding: 'utf8', maxBuffer: 512 * 1024 * 1024 });
  const branch = git('for-each-ref', '--format=%(refname)')
    .split('\n')
    .find((ref) => ref.endsWith('/entire/checkpoints/v1'));
  if (branch === undefined) throw new Error(`no branch entire/checkpoints/v1 in ${clone}`);
  const stored = readStored(git, branch);
  const newest = new Map(stored.sort((a, b) => a.at.localeCompare(b.at)).map((one) => [one.id, one]));
  for (const one of newest.values()) {
    const path = join(folder, one.place);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, one.parts.map((part) => git('show', `${branch}:${part}`)).join(''));
  }
  const commits = readCommits(git, branch, stored);
  const repo = basename(resolve(clone));
  for (const commit of commits)
    appendFileSync(join(folder, 'commits.jsonl'), `${JSON.stringify({ repo, ...commit })}\n`);
  return { sessions: newest.size, commits: commits.length };
}

type Git = (...args: string[]) => string;

interface StoredSession {
  checkpoint: string;
  id: string;
  at: string;
  /** Paths in the branch; a long transcript has several parts. */
  parts: string[];
  /** Where the agent would have it. */
  place: string;
}

const Metadata = z.object({ session_id: z.string(), created_at: z.string(), agent: z.string().nullish() });

function readStored(git: Git, branch: string): StoredSession[] {
  const paths = git('ls-tree', '-r', '--name-only', branch).split('\n');
  return paths
    .filter((path) => /^\w{2}\/\w{10}\/\d+\/metadata\.json$/.test(path))
    .flatMap((path) => {
      const {
        session_id: id,
        created_at: at,
        agent,
      } = Metadata.parse(JSON.parse(git('show', `${branch}:${path}`)));
      const place = placeOf(agent ?? '', id, at);
      const parts = paths.filter((one) => one.startsWith(`${dirname(path)}/full.jsonl`)).sort();
      const checkpoint = path.slice(0, 13).replace('/', '');
      return place === null || parts.length === 0 ? [] : [{ checkpoint, id, at, parts, place }];
    });
}

/** Null for agents that smart-fork does not read. */
function placeOf(agent: string, id: string, at: string): string | null {
  if (agent === 'Claude Code') return join('claude', 'projects', '-checkpoints', `${id}.jsonl`);
  if (!agent.startsWith('Codex')) return null;
  const day = at.slice(0, 10);
  const time = at.slice(11, 19).replaceAll(':', '-');
  return join('codex', 'sessions', ...day.split('-'), `rollout-${day}T${time}-${id}.jsonl`);
}

function readCommits(git: Git, branch: string, stored: StoredSession[]) {
  const format = ['%H', '%cI', '%s', '%(trailers:key=Entire-Checkpoint,valueonly,separator=%x2C)'].join(
    '%x00',
  );
  return git('log', '--exclude', branch, '--all', `--format=${format}`)
    .split('\n')
    .flatMap((line) => {
      const [commit = '', date, subject, checkpoints = ''] = line.split('\0');
      const named = checkpoints.split(',').map((one) => one.trim());
      const sessions = stored.filter(({ checkpoint }) => named.includes(checkpoint)).map(({ id }) => id);
      return sessions.length === 0 ? [] : [{ commit, date, subject, sessions: [...new Set(sessions)] }];
    });
}
