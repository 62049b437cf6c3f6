import { commitsOf, type GitStep } from './calls/git-steps.ts';
import { hashIn } from './commit-hash.ts';
import type { Commit } from './session.ts';
import type { TranscriptEvent } from './transcript-event.ts';

type EventOf<Kind extends TranscriptEvent['kind']> = Extract<TranscriptEvent, { kind: Kind }>;

/** A call of git without a result. */
interface GitCall {
  call: string;
  steps: GitStep[];
  /** The process in which the command continues. */
  process?: string;
  /** Set once git has reported a commit of it. */
  reported?: true;
}

/** What a session has committed so far. */
export interface CommitsDraft {
  edits: number;
  /** Of those that were not undone. Without a hash: `git commit` succeeded without a report, as with wrappers of git. */
  commits: Commit[];
  /** Hashes of those that were only rebased here: another session may have made them. */
  rebased?: string[];
  /** Number of edits before the last commit; absent before the first. */
  editsCommitted?: number;
  /** Set if commits may come again with another hash. */
  rewritten?: true;
  /** Calls of git that have no result yet. */
  git?: GitCall[];
}

const MAX_CALLS = 8;
/** Maximum number of commits in a session's record. */
const MAX_COMMITS = 200;

export function beginGit(draft: CommitsDraft, { call, git }: EventOf<'message'>): void {
  if (call === undefined || git === undefined) return;
  addCall(draft, { call, steps: git });
}

/** A call that waits for a command's process ends the command. */
export function followProcess(draft: CommitsDraft, { call, process }: EventOf<'process'>): void {
  const known = draft.git?.find((one) => one.process === process);
  const own = draft.git?.find((one) => one.call === call);
  if (own !== undefined) own.process = process;
  else if (known !== undefined) addCall(draft, { ...known, call });
}

function addCall(draft: CommitsDraft, call: GitCall): void {
  draft.git = [...(draft.git ?? []).slice(-MAX_CALLS + 1), call];
}

/** Adds a commit that git reported, in place of the one that it replaces. */
export function addCommit(draft: CommitsDraft, { commit, call }: EventOf<'commit'>): void {
  const { commits } = draft;
  if (commits.some(({ hash }) => hash === commit.hash)) return;
  const own = draft.git?.find((one) => one.call === call);
  const steps = own?.steps ?? [];
  const isRebase = steps.some(({ does }) => does === 'rebase');
  if (own !== undefined && own.reported === undefined) {
    own.reported = true;
    resetAll(draft, steps);
  }
  draft.editsCommitted = draft.edits;
  const [, reverted] = REVERT.exec(commit.subject) ?? [];
  if (reverted !== undefined) removeLast(commits, reverted);
  const isSame = ({ subject }: Commit) => subject === commit.subject;
  const before =
    isRebase || draft.rewritten ? commits.findLastIndex(isSame) : doesAmend(steps) ? commits.length - 1 : -1;
  if (before >= 0) commits[before] = replacing(commits[before], commit);
  else if (commits.length < MAX_COMMITS) {
    commits.push(commit);
    const isOwn = steps.some(({ does }) => does === 'commit');
    if (isRebase && !isOwn) draft.rebased = [...(draft.rebased ?? []), commit.hash];
  }
}

/** The commits whose changes were made in the session. */
export function deliveredBy({ commits, rebased = [] }: CommitsDraft): Commit[] {
  return commits.filter(({ hash }) => !rebased.includes(hash));
}

const MAX_EARLIER = 8;

function replacing(old: Commit | undefined, commit: Commit): Commit {
  const earlier = [...(old?.earlier ?? []), old?.hash ?? ''].filter((hash) => hash !== '');
  return earlier.length === 0 ? commit : { ...commit, earlier: earlier.slice(-MAX_EARLIER) };
}

const REVERT = /^Revert "(.{1,300})"$/;

function removeLast(commits: Commit[], wanted: string): void {
  const at = commits.findLastIndex(({ subject }) => subject === wanted);
  if (at >= 0) commits.splice(at, 1);
}

function doesAmend(steps: GitStep[]): boolean {
  return steps.some(({ does }) => does === 'amend');
}

/** Applies what a call of git did; returns the branches that it switched to. `known`: the session's branches so far. */
export function endGit(draft: CommitsDraft, result: EventOf<'result'>, known: string[] = []): string[] {
  const branches = endCall(draft, result, known);
  nameUnreported(draft.commits, result.listed ?? []);
  return branches;
}

function endCall(
  draft: CommitsDraft,
  { call, failed, error, branches = [], uncommitted }: EventOf<'result'>,
  known: string[],
): string[] {
  const own = draft.git?.find((one) => one.call === call);
  if (own === undefined) return [];
  const left = (draft.git ?? []).filter((one) => one !== own);
  if (left.length > 0) draft.git = left;
  else delete draft.git;
  const { steps, reported } = own;
  if (steps.some((step) => step.does === 'rebase' && step.elsewhere !== true)) draft.rewritten = true;
  // Wrappers and pipes hide that git failed, but not what it printed.
  if (failed || error !== null) return branchesOf(steps, branches, null);
  if (reported === undefined) {
    resetAll(draft, steps);
    for (const step of commitsOf(steps, uncommitted)) addUnreported(draft, step);
  }
  return branchesOf(steps, branches, known);
}

/**
 * A branch that git named wins; it may have come from elsewhere if the command names others. A quiet `git checkout` may be of a file,
 * unless it names a branch. `known`: null if the command failed.
 */
function branchesOf(steps: GitStep[], told: string[], known: string[] | null): string[] {
  const switches = steps.flatMap((step) => (step.does === 'switch' ? [step] : []));
  const confirmed = told.filter((name) => switches.some(({ branch }) => branch === '' || branch === name));
  if (confirmed.length > 0) return confirmed;
  if (known === null) return [];
  const isBranch = (name: string) => known.includes(name) || MAIN.test(name);
  return switches.flatMap(({ branch, sure, quiet }) =>
    sure || (quiet === true && isBranch(branch)) ? [branch] : [],
  );
}

const MAIN = /^(?:main|master|trunk|develop)$/;

function addUnreported(draft: CommitsDraft, { does, subject }: Extract<GitStep, { subject: string }>): void {
  const { commits } = draft;
  draft.editsCommitted = draft.edits;
  const last = commits.at(-1);
  if (does === 'amend' && last !== undefined)
    commits[commits.length - 1] = replacing(last, { hash: '', subject: subject || last.subject });
  else if (commits.length < MAX_COMMITS) commits.push({ hash: '', subject });
}

/** Gives commits without a hash the one with which git listed their subject later. The list begins with the newest. */
function nameUnreported(commits: Commit[], listed: Commit[]): void {
  if (listed.length === 0 || commits.every(({ hash }) => hash !== '')) return;
  const isNew = (hash: string) => !commits.some((one) => hashIn(one, hash) !== undefined);
  // Wrappers of git cut long subjects.
  const starts = listed.map((one) => ({ ...one, start: CUT.exec(one.subject)?.[1] }));
  for (const [at, one] of [...commits.entries()].reverse()) {
    if (one.hash !== '' || one.subject === '') continue;
    const named = starts.find(
      ({ hash, subject, start }) =>
        (start === undefined ? subject === one.subject : one.subject.startsWith(start)) && isNew(hash),
    );
    if (named !== undefined) commits[at] = { ...one, hash: named.hash };
  }
}

const CUT = /^(.{30,}?)(?:\.\.\.|…)$/;

function resetAll(draft: CommitsDraft, steps: GitStep[]): void {
  for (const step of steps) if (step.does === 'reset') reset(draft, step.to);
}

/** Forgets the commits that a reset undid. An unknown revision may undo any of them: their subjects may come again. */
function reset(draft: CommitsDraft, to: string): void {
  const { commits } = draft;
  const [, base = '', steps = ''] = REVISION.exec(to) ?? [];
  const back = [...steps.matchAll(BACK)].reduce((sum, [, count]) => sum + Number(count || 1), 0);
  const at = isHead(base)
    ? commits.length - 1
    : commits.findLastIndex((one) => one.hash !== '' && base !== '' && hashIn(one, base) !== undefined);
  if (at >= 0) commits.length = Math.max(0, at + 1 - back);
  else if (!isHead(base)) draft.rewritten = true;
}

const REVISION = /^(HEAD|@|[\da-f]{7,64})((?:[~^]\d{0,3})*)$/;
const BACK = /[~^](\d*)/g;

function isHead(base: string): boolean {
  return base === 'HEAD' || base === '@';
}
