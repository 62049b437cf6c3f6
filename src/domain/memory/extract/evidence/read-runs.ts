import { commitsOf, type GitStep } from '../../../session/calls/git-steps.ts';
import { clip } from '../../../text/clip.ts';
import { CONFIDENCE } from '../../confidence.ts';
import { errorSignature } from '../../text/error-signature.ts';
import { keyWords, overlap } from '../../text/sentences.ts';
import { addToTopics } from '../follow-topics.ts';
import type { Failure, MemoryState, Place } from '../memory-state.ts';
import { closeIdea, leaveIdea, noteIdea } from '../note-idea.ts';
import { addCommit } from './read-commits.ts';

const MAX_CALLS = 24;
const MAX_FAILURES = 6;
const MAX_CHANGES = 6;
/** Of so many edited files, each may be the fix. */
const MAX_FIXED = 3;
/** A failure that nobody works on within so many turns is dropped. */
const TURNS_LATER = 2;

/** A command begins. A tool call's line contains it after the tool's name. */
export function addCall(state: MemoryState, call: string, line: string, git: GitStep[] = []): void {
  const command = /^Bash: (.+)$/s.exec(line)?.[1];
  if (command === undefined) return;
  state.calls = [...state.calls.slice(-MAX_CALLS + 1), { call, command, git }];
  if (!DELIVERS.test(command)) return;
  state.turn.worked = true;
  leaveSteps(state);
}

const DELIVERS =
  /\bgit\b[^|;&]{0,60}?\b(?:commit|push|merge|rebase)\b|\bgh (?:pr|issue) (?:create|merge|ready|close)\b|\bnpm publish\b/;

/** The step that commits is begun, and those before it are over, whether the agent ticked them off or not. */
function leaveSteps(state: MemoryState): void {
  const at = state.todos.findLastIndex(({ text }) => SHIPS.test(text));
  for (const { idea } of state.todos.slice(0, at + 1)) leaveIdea(state, idea);
}

const SHIPS = /\b(?:commit|push|pr|pull request|merge|release|publish)\b/i;

/** A call's command continues in a background process; a later call waits for it. */
export function addProcess(state: MemoryState, call: string, process: string): void {
  const own = state.calls.find((one) => one.call === call);
  const begun = state.calls.find((one) => one.process === process);
  if (own !== undefined) own.process = process;
  else if (begun !== undefined) state.calls = [...state.calls.slice(-MAX_CALLS + 1), { ...begun, call }];
}

export function addEdit(state: MemoryState, path: string): void {
  for (const { edits } of state.failures)
    if (!edits.includes(path) && edits.length < MAX_CHANGES) edits.push(path);
}

interface Result {
  call: string;
  failed: boolean;
  error: string | null;
  uncommitted?: true | undefined;
}

/** A command that failed and later passed is a problem and its solution. */
export function addResult(state: MemoryState, { call, failed, error, uncommitted }: Result, at: Place): void {
  const own = state.calls.find((one) => one.call === call);
  if (own === undefined) return;
  const { command, git } = own;
  state.calls = state.calls.filter((one) => one !== own);
  if (!failed && error === null) addCommitCall(state, commitsOf(git, uncommitted), at);
  if (!failed && error === null && state.failures.length === 0) return;
  const run = runOf(command);
  const isFailure = failed || (error !== null && run.check !== null);
  if (isFailure && error !== null && !LOOKING.test(run.main) && !isSlip(run, error))
    addFailure(state, run, error, at);
  else if (!isFailure) addPass(state, run, at);
  state.failures = state.failures.filter(({ turn }) => at.turn - turn <= TURNS_LATER);
}

/** Wrappers of git print no commit report, so the subject is taken from the command. */
function addCommitCall(state: MemoryState, commits: ReturnType<typeof commitsOf>, at: Place): void {
  if (state.turn.committed === at.line) return;
  for (const { does, subject } of commits) {
    if (does === 'amend' || subject === '') continue;
    addToTopics(state, { commit: subject }, at);
    if (subject.length > 8) addCommit(state, { hash: '', subject }, at);
  }
}

/** The command was mistyped, or code was not in style: nobody looks for that again. */
function isSlip({ check }: Run, error: string): boolean {
  if (EXCEPTION.test(error)) return false;
  return check === 'lint' || MISTYPED.test(error) || COMPLAINT.test(error);
}

const MISTYPED =
  /\b(?:unrecogni[sz]ed|unexpected|unknown|invalid|no such) (?:sub)?(?:command|argument|flag|option)s?\b|\bmissing script\b|\bunexpected EOF while looking\b|\bsyntax error near\b|\bunmatched ["'`]|\bcd: /i;
/** How linters mark a complaint. */
const COMPLAINT = /^[×✖] /;

function addFailure(state: MemoryState, run: Run, error: string, at: Place): void {
  const signature = errorSignature(error);
  const known = state.failures.find(
    (one) => one.signature === signature || isSameRun(runOf(one.command), run),
  );
  if (known !== undefined) {
    if (known.idea === null) Object.assign(known, { error, signature });
    takeUp(state, known);
    // What was changed so far was not the fix.
    Object.assign(known, { isStep: known.isStep || known.edits.length > 0, edits: [], ran: null });
    return;
  }
  const { turn, line } = at;
  const failure: Failure = {
    command: run.command,
    error,
    signature,
    turn,
    line,
    timestamp: state.time,
    edits: [],
    ran: null,
    isStep: false,
    idea: null,
  };
  state.failures = [...state.failures.slice(-MAX_FAILURES + 1), failure];
}

/** A command passes that failed before. What was changed since is the solution; if nothing was, there is none. */
function addPass(state: MemoryState, run: Run, at: Place): void {
  const { command, main } = run;
  if (CHANGES.test(main))
    for (const failure of state.failures) if (mayFix(main, mainOf(failure.command))) failure.ran = main;
  for (const failure of state.failures) {
    const isInstead = isReplacement(mainOf(failure.command), main);
    if (!isInstead && !isSameRun(runOf(failure.command), run)) continue;
    state.failures = state.failures.filter((one) => one !== failure);
    const { edits, signature } = failure;
    const ran = failure.ran ?? (isInstead && edits.length === 0 ? main : null);
    if (edits.length === 0 && ran === null) continue;
    takeUp(state, failure);
    if (failure.idea === null) continue;
    closeIdea(state, failure.idea);
    const files = fixedIn(failure.error, edits);
    if (edits.length > 0 && files.length === 0) continue;
    const passes = `in ${files.map(nameOf).join(', ')}; \`${clip(main, 160)}\` passes`;
    noteIdea(state, at, {
      kind: 'solution',
      content: `${clip(messageOf(failure.error), 160)}: fixed ${files.length > 0 ? passes : `by running \`${clip(ran ?? '', 160)}\``}`,
      quote: clip(command, 290).replace(/…$/, ''),
      evidence: 'run',
      confidence: CONFIDENCE.passedRun,
      entities: [`error:${signature}`, ...files.map((path) => `file:${path}`)],
      relations: [{ kind: 'answers', to: failure.idea, confidence: 0.8 }],
    });
  }
}

/** The edited files that the error names, or all if they are few. */
function fixedIn(error: string, edits: string[]): string[] {
  const named = edits.filter((path) => error.includes(nameOf(path)));
  return named.length > 0 || edits.length > MAX_FIXED ? named : edits;
}

function nameOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

/** Whether a command is another one but for its program: `pnpm test` instead of `npm test`, not `rtk npm test`. */
function isReplacement(failed: string, passed: string): boolean {
  const [program, ...words] = failed.replace(RUNNER, '').split(/\s+/);
  const [other, ...others] = passed.replace(RUNNER, '').split(/\s+/);
  return program !== other && words.length > 0 && words.join(' ') === others.join(' ');
}

const RUNNER = /^(?:(?:sudo|npx|bunx|pnpx|uvx|pipx run)\s+(?:-\S+\s+)*)/;

/** A change of a checkout is no fix of what is run in it. */
function mayFix(change: string, failed: string): boolean {
  return change !== failed && (/\bgit\b/.test(failed) || !change.startsWith('git '));
}

/** Commands that change something. */
const CHANGES =
  /^(?:sudo |rtk )?(?:(?:npm|pnpm|yarn|bun|pip3?|uv|poetry|cargo|gem|go|apt|apt-get|brew|dnf) (?:i|ci|install|add|remove|uninstall|sync|update|upgrade|get|mod|link|rebuild)|git(?: -[Cc] \S{1,200}){0,2} (?:add|rm|mv|rebase --\w+|merge|cherry-pick|pull|checkout|switch|restore|reset|clean|submodule|config)|(?:rm|mv|ln|chmod)|sed -i|docker(?: compose|-compose)? (?:up|down|start|restart|pull|build|rm)|systemctl (?:re)?start)\b|\s--(?:write|fix)\b|\blint:fix\b/;

/** A failure that someone works on is a problem. */
function takeUp(state: MemoryState, failure: Failure): void {
  // What was edited until a check passed is a step of the work, unless it was an exception.
  const isEdited = failure.isStep || failure.edits.length > 0;
  const isStep = isEdited && !EXCEPTION.test(failure.error);
  if (failure.idea !== null || isStep || GENERIC.test(failure.error)) return;
  failure.idea = noteIdea(state, failure, {
    kind: 'problem',
    content: `\`${clip(mainOf(failure.command), 100)}\` failed: ${messageOf(failure.error)}`,
    quote: messageOf(failure.error),
    evidence: 'run',
    confidence: CONFIDENCE.failedRun,
    follows: true,
    entities: [`error:${failure.signature}`],
    timestamp: failure.timestamp,
  });
}

const EXCEPTION = /^(?:Uncaught |E\s{1,8})?[A-Z]\w*(?:Error|Exception)\b/;
/** Lines that report a failure without its cause. */
const GENERIC =
  /^FAILED: |\bexit(?:ed with)? code \d+|^(?:\W*|Lint: |Found |Tests?:? )\d+ (?:errors?|problems?|warnings?)/i;

function messageOf(error: string): string {
  return error.split('\n', 1)[0] ?? '';
}

/** Commands that only look: finding nothing is not a failure. */
const LOOKING =
  /^(?:git(?: -[Cc] \S{1,200}| --no-pager)* (?:status|log|diff|show|branch|fetch|worktree|remote|rev-parse|stash|merge-base|ls-files)|gh (?:pr|run|issue) (?:view|list|checks)|ls|cat|head|tail|grep|rg|find|which|test|\[|stat|file|wc|pwd|diff|sed -n|command -v|pgrep|kill|pkill|curl|sleep|true|rm|mkdir|cp|mv)\b/;

/** The command without `cd`, variables and redirections. */
function mainOf(command: string): string {
  return command
    .replace(
      /^(?:cd [^;&|]{1,200}(?:&&|;)\s*|\w+=\S{0,100}\s+|(?:set -\w+|export [^;&]{1,100})\s*(?:&&|;)\s*)+/,
      '',
    )
    .replace(/(?<!\s)\s*2>&1\b/g, '')
    .replace(/(?<!\s)\s*\|\s*(?:tail|head|grep|cat|tee|sed|awk)\b.*$/s, '')
    .trim();
}

interface Run {
  command: string;
  /** See mainOf. */
  main: string;
  /** The check it runs; null if none. */
  check: string | null;
}

function runOf(command: string): Run {
  const main = mainOf(command);
  const isLooking = LOOKING.test(main) && !CHANGES.test(main);
  // Paths and messages that git is given are not what is run.
  const words = main.replace(/\bgit [^;&|]{0,400}/g, (git) => /\b(?:commit|push)\b/.exec(git)?.[0] ?? '');
  const check = isLooking ? undefined : CHECKS.find(([, pattern]) => pattern.test(words))?.[0];
  return { command, main, check: check ?? null };
}

const CHECKS: [string, RegExp][] = [
  ['lint', /\b(?:lint(?::\w+)?|biome|eslint|prettier|ruff|clippy|rubocop)\b/],
  ['types', /\b(?:tsc|typecheck|type-check|mypy|pyright|cargo check)\b/],
  ['build', /\b(?:build|compile|make)\b/],
  ['test', /\b(?:test|tests|vitest|jest|pytest|rspec|phpunit|mocha)\b/],
  ['commit', /\bcommit\b/],
  ['push', /\bpush\b/],
];

/** Whether one command repeats the other: the same check of the same files, or the same words. */
function isSameRun(one: Run, other: Run): boolean {
  const { check } = one;
  if (check !== other.check) return false;
  if (check === 'commit' || check === 'push') return true;
  if (check === null) return one.main === other.main;
  const [words, others] = [keyWords(one.main), keyWords(other.main)];
  const files = (set: Set<string>) => [...set].filter((word) => /\.\w{1,4}$/.test(word));
  return files(others).length === 0 || overlap(new Set(files(words)), new Set(files(others))) >= 0.5;
}
