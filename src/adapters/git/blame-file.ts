import { lstatSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { diffArrays } from 'diff';
import type { BlamedLine, CommitFacts } from '../../ports/machine.ts';
import { type Git, isoOf } from './run-git.ts';

const MAX_BYTES = 16 * 1024 * 1024;

/**
 * The commit that last changed each line of a file; null if the file is not committed.
 * @param git runs in the file's folder
 */
export async function blameFile(git: Git, path: string): Promise<BlamedLine[] | null> {
  const committed = await blameCommitted(git, basename(path));
  return committed === null ? null : inPresentFile(committed, path);
}

interface CommittedLine {
  text: string;
  commit: CommitFacts;
}

/** Blames the last commit: blaming the file itself would run the filters configured in the repository. */
async function blameCommitted(git: Git, name: string): Promise<CommittedLine[] | null> {
  const output = await git('blame', '--no-textconv', '--porcelain', 'HEAD', '--', name);
  if (output === null) return null;
  const commits = new Map<string, CommitFacts>();
  const lines: CommittedLine[] = [];
  let current: CommitFacts | null = null;
  for (const line of output.split('\n')) {
    const hash = /^([0-9a-f]{40,64}) \d+ \d+/.exec(line)?.[1];
    if (line.startsWith('\t')) {
      if (current !== null) lines.push({ text: line.slice(1), commit: current });
    } else if (hash !== undefined) {
      current = commits.get(hash) ?? { hash, subject: '', time: '' };
      commits.set(hash, current);
    } else if (current !== null) {
      if (line.startsWith('summary ')) current.subject = line.slice('summary '.length);
      if (line.startsWith('author-time ')) current.time = isoOf(Number(line.slice('author-time '.length)));
    }
  }
  return lines;
}

/** Numbers the lines as in the current file. */
function inPresentFile(committed: CommittedLine[], path: string): BlamedLine[] {
  const present = linesOf(path);
  if (present === null) return committed.map(({ commit }, at) => ({ line: at + 1, commit }));
  const blamed: BlamedLine[] = [];
  let at = 0;
  const before = committed.map(({ text }) => text.replace(/\r$/, ''));
  for (const { added, removed, count } of diffArrays(before, present)) {
    if (removed) {
      at += count;
      continue;
    }
    for (let n = 0; n < count; n += 1) {
      blamed.push({ line: blamed.length + 1, commit: added ? null : (committed[at + n]?.commit ?? null) });
    }
    if (!added) at += count;
  }
  return blamed;
}

/** Null for a file that is missing, a link (git stores its target's name), or too large to compare. */
function linesOf(path: string): string[] | null {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined || !stat.isFile() || stat.size > MAX_BYTES) return null;
  if (stat.size === 0) return [];
  return readFileSync(path, 'utf8')
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => line.replace(/\r$/, ''));
}
