import type * as z from 'zod';
import { AGENT_ROWS, type Agent } from '../../domain/agent/agents.ts';
import { missingProgram } from '../../domain/agent/missing-program.ts';
import type { preflight } from '../../domain/json/fork.ts';
import { commandLine, type Shell } from '../../domain/machine/shell.ts';
import type { SessionPayload } from '../../domain/point/point.ts';
import type { DoctorCheck } from '../../domain/server-state.ts';
import { cannotFork, cannotStart } from '../../domain/session/missing-parts.ts';
import { idToType } from '../../domain/session/session-id.ts';
import { thousands } from '../../domain/text/tokens.ts';
import type { GitDrift, ThisMachine } from '../../ports/machine.ts';

export type PreflightFacts = z.infer<typeof preflight>['facts'];

/** A transcript written this recently is probably still being written. */
const RECENT_SECONDS = 60;
/** A fork that begins with this share of the window in use will soon be compacted. */
const NEARLY_FULL = 0.8;
const MAX_FILES = 4;

/** Turns the facts into checks with advice. A check fails only if a fork is impossible. */
export function preflightChecks(
  session: SessionPayload,
  agent: Agent,
  facts: PreflightFacts,
  machine: Pick<ThisMachine, 'name' | 'shell' | 'directoryExists'>,
  /** Of the session in which the conversation goes on, if it is known. */
  nextTitle?: string,
): DoctorCheck[] {
  return [
    checkTranscript(session, facts, machine.name),
    checkProgram(session, agent, facts),
    checkContinuation(session, nextTitle),
    checkWriting(facts),
    checkContext(facts),
    checkFolder(session, facts, machine),
    ...checkDrift(session, facts, machine.shell),
  ].filter((check) => check !== null);
}

function checkTranscript(
  session: SessionPayload,
  { path, restorable }: PreflightFacts,
  machine: string,
): DoctorCheck {
  const name = 'Transcript';
  if (path !== null) return { name, status: 'ok', message: 'on this machine' };
  const gone =
    session.machine === machine
      ? 'gone from this machine'
      : `not on this machine (recorded on ${session.machine})`;
  if (restorable) return { name, status: 'ok', message: `${gone}, but archived: it is restored first` };
  return {
    name,
    status: 'fail',
    message: `${gone}, and not archived`,
    fix: 'Use --inject to start a session with its context instead.',
  };
}

function checkContinuation({ continued_in: next }: SessionPayload, title?: string): DoctorCheck | null {
  if (next === undefined) return null;
  const fix = `To fork its end: smart-fork fork ${idToType(next)}`;
  const named = title === undefined ? next : `${next} "${title}"`;
  return { name: 'Continued', status: 'warn', message: `the conversation goes on in session ${named}`, fix };
}

function checkProgram(session: SessionPayload, agent: Agent, { program }: PreflightFacts): DoctorCheck {
  const name = 'Agent';
  const { program: wanted } = AGENT_ROWS[agent];
  const isOwn = agent === session.agent;
  if (wanted === null || (isOwn && wanted.forksSince === null)) {
    const reason = isOwn ? cannotFork : cannotStart;
    const { message, hint: fix } = reason(agent, session.session_id);
    return { name, status: 'fail', message, fix };
  }
  if (program === null) {
    const { message, hint: fix } = missingProgram(wanted);
    return { name, status: 'fail', message, fix };
  }
  const { version, can_fork } = program;
  if (isOwn && !can_fork) {
    const message = `${wanted.command} ${version} cannot fork; ${wanted.forksSince} or later can`;
    return { name, status: 'fail', message, fix: `Update it: npm install -g ${wanted.package}@latest` };
  }
  if (version !== null) return { name, status: 'ok', message: `${wanted.command} ${version}` };
  const since = isOwn ? `; ${wanted.forksSince} or later can fork` : '';
  const message = `${wanted.command} did not report its version${since}`;
  return { name, status: 'warn', message, fix: `Run it: ${wanted.command} --version` };
}

function checkWriting({ idle_seconds, open_in }: PreflightFacts): DoctorCheck | null {
  const name = 'In use';
  const [process] = open_in;
  if (process !== undefined) {
    const state = process.busy ? 'is working in it' : 'has it open';
    return {
      name,
      status: 'warn',
      message: `process ${process.pid} ${state}`,
      fix: 'The fork contains what is written so far; wait for the answer if you need it.',
    };
  }
  if (idle_seconds === null || idle_seconds >= RECENT_SECONDS) return null;
  return {
    name,
    status: 'warn',
    message: `written ${idle_seconds} s ago: it may be in use`,
    fix: 'The fork contains what is written so far.',
  };
}

function checkContext({ context }: PreflightFacts): DoctorCheck | null {
  if (context === null) return null;
  const name = 'Context';
  const tokens = `about ${thousands(context.tokens)} tokens`;
  if (context.window === null) return { name, status: 'ok', message: tokens };
  const share = context.tokens / context.window;
  const message = `${tokens}, ${Math.round(share * 100)}% of the model's ${thousands(context.window)}`;
  if (share < NEARLY_FULL) return { name, status: 'ok', message };
  return {
    name,
    status: 'warn',
    message,
    fix: 'Fork at an earlier turn (--at), or /compact after it has started.',
  };
}

function checkFolder(
  session: SessionPayload,
  facts: PreflightFacts,
  { directoryExists }: Pick<ThisMachine, 'directoryExists'>,
): DoctorCheck {
  const name = 'Folder';
  const { folder, same_repository } = facts;
  if (facts.folder_is_original) return { name, status: 'ok', message: folder };
  // The user may have chosen another folder than the session's.
  const mayBeHere = facts.restorable || directoryExists(session.working_directory);
  if (mayBeHere && same_repository !== true) {
    const message = `the fork starts in ${folder}; the session was started in ${session.working_directory || '(unknown)'}`;
    return {
      name,
      status: 'warn',
      message,
      fix: 'Run it in a checkout of the repository, if there is one.',
    };
  }
  const gone = mayBeHere
    ? `started in ${session.working_directory || 'an unknown folder'}`
    : `${session.working_directory || 'its folder'} is not on this machine`;
  if (same_repository === true)
    return { name, status: 'ok', message: `${gone}; the same repository is in ${folder}` };
  return {
    name,
    status: 'warn',
    message: `${gone}; the fork starts in ${folder}`,
    fix: 'Run it in a checkout of the repository, if there is one.',
  };
}

function checkDrift(session: SessionPayload, facts: PreflightFacts, shell: Shell): DoctorCheck[] {
  const { drift, same_repository } = facts;
  if (same_repository === false) {
    const message = `the folder is not in the session's (${session.repo_key ?? session.repo_name})`;
    return [
      {
        name: 'Repository',
        status: 'warn',
        message,
        fix: 'The files of the session are not there.',
      },
    ];
  }
  if (drift === null) {
    const message = 'could not tell what has changed: git is missing, or cannot read the repository';
    const fix = 'Tell the agent to read its files again.';
    if (same_repository === true) return [{ name: 'Since then', status: 'warn', message, fix }];
    const isPlain = session.files_touched.length === 0 || !facts.folder_is_original;
    return isPlain ? [] : [{ name: 'Since then', status: 'ok', message: NOT_CHECKED }];
  }
  const checks: DoctorCheck[] = [];
  if (drift.branch_exists === false) {
    const message = `${session.branch} is gone${drift.branch === null ? '' : `; ${drift.branch} is checked out`}`;
    checks.push({
      name: 'Branch',
      status: 'warn',
      message,
      fix: 'It may have been merged: check before you edit.',
    });
  } else if (session.branch !== null && drift.branch !== null && drift.branch !== session.branch) {
    const message = `${drift.branch} is checked out, the session was on ${session.branch}`;
    checks.push({
      name: 'Branch',
      status: 'warn',
      message,
      fix: commandLine(['git', 'switch', session.branch], null, shell),
    });
  }
  return [...checks, checkCommits(drift)];
}

const NOT_CHECKED = 'not checked whether its files changed: the folder is in no git repository';

function checkCommits({
  commits_since: commits,
  changed_files: files,
  unknown_files: unknown,
}: GitDrift): DoctorCheck {
  const name = 'Since then';
  if (commits === null && files.length === 0) {
    const message = 'changes are unknown: this clone has no commit from the time of the session';
    return {
      name,
      status: 'warn',
      message,
      fix: 'Fetch its history (git fetch), or tell the agent to read its files again.',
    };
  }
  if (files.length === 0 && unknown.length > 0) {
    const message = `${movedText(commits)}; could not tell whether its files changed: ${listed(unknown)}`;
    return { name, status: 'warn', message, fix: 'Look yourself, or tell the agent to read them again.' };
  }
  if (commits === 0 && files.length === 0) return { name, status: 'ok', message: 'nothing has changed' };
  const moved = movedText(commits);
  if (files.length === 0) return { name, status: 'ok', message: `${moved}; its files are unchanged` };
  const hidden = unknown.length === 0 ? '' : `; could not tell for ${listed(unknown)}`;
  const message = `${moved}; ${files.length} of its files changed: ${listed(files)}${hidden}`;
  return { name, status: 'warn', message, fix: 'Tell the agent to read them again.' };
}

function listed(files: string[]): string {
  const more = files.length > MAX_FILES ? ` and ${files.length - MAX_FILES} more` : '';
  return files.slice(0, MAX_FILES).join(', ') + more;
}

function movedText(commits: number | null): string {
  if (commits === null) return 'commits cannot be counted';
  if (commits === 0) return 'no commits';
  return `${commits} ${commits === 1 ? 'commit' : 'commits'}`;
}
