import type { Commit } from '../session.ts';

/** What git said in the output of a call. */
export interface GitOutput {
  /** The branches that it switched to. */
  branches?: string[] | undefined;
  /** Commits that the output lists at its start, newest first. */
  listed?: Commit[] | undefined;
  /** There was nothing to commit. */
  uncommitted?: true | undefined;
}

export function gitOutput(output: string): GitOutput {
  return {
    branches: branchesIn(output),
    listed: listedCommits(output),
    uncommitted: NOTHING.test(output.slice(-TAIL_LENGTH).trimEnd()) || undefined,
  };
}

const TAIL_LENGTH = 400;
const NOTHING =
  /(?:^|\n)(?:ok \()?(?:nothing (?:added )?to commit|no changes added to commit)\b[^\n]{0,200}$/;

/** The branches that git said it switched to, in an output or in JSON of one. */
export function branchesIn(output: string): string[] | undefined {
  // Most outputs name none: looking for a word takes a fraction of the time.
  if (!output.includes('Switched to') && !output.includes('Already on')) return undefined;
  const told = [...output.matchAll(SWITCHED)].map(([, branch = '']) => branch);
  return told.length === 0 ? undefined : told;
}

const SWITCHED =
  /(?:^|[\n\r]|\\[nr])(?:Switched to(?: a new| and reset)? branch|Already on) '([^'\s\\]{1,200})'/g;

/** Commits at the start of an output that lists them: `abc1234 subject` and `[branch abc1234] subject` on a line, or as `git log` does. */
function listedCommits(output: string): Commit[] | undefined {
  if (!STARTS_A_LIST.test(output)) return undefined;
  const head = output.slice(0, LISTED_LENGTH);
  return [...head.matchAll(LISTED_LINE), ...head.matchAll(LISTED_WHOLE)].map(
    ([, hash = '', subject = '']) => ({ hash, subject: subject.trim() }),
  );
}

const LISTED_LENGTH = 4000;
const STARTS_A_LIST = /^\s{0,20}(?:commit |\[[^\]\n]{1,200} )?[0-9a-f]{7,40}[\] \n]/;
const LISTED_LINE = /^(?:\[[^\]\n]{1,200} )?([0-9a-f]{7,40})\]? (?:\([^)\n]{1,300}\) )?(\S.{0,299})$/gm;
const LISTED_WHOLE = /^commit ([0-9a-f]{40})\b.{0,300}\n(?:[A-Z].{0,300}\n){1,6}\n {4}(\S.{0,299})$/gm;
