import type { Commit } from '../../domain/session.ts';

/** Commits that a command's output reports as `[branch abc1234] subject`. */
export function findCommits(output: string): Commit[] {
  return Array.from(output.matchAll(REPORT), ([, hash = '', subject = '']) => ({ hash, subject: subject.trim() }));
}

/** Whether a line of JSON can hold such a report; cheaper than parsing it. */
export function mayReportCommit(line: Buffer): boolean {
  for (let at = line.indexOf(MARK); at !== -1; at = line.indexOf(MARK, at + 1)) {
    if (HASH.test(line.toString('latin1', Math.max(0, at - 41), at))) return true;
  }
  return false;
}

const REPORT = /^\[(?:detached HEAD|[^\s[\]]+)(?: \([a-z-]+\))? ([0-9a-f]{7,40})\] (\S.*)$/gm;
const MARK = Buffer.from('] ');
const HASH = / [0-9a-f]{7,40}$/;
