import { makeFork, type ReadyFork } from '../../app/fork/make-fork.ts';
import { type Preflight, preflight } from '../../app/fork/preflight.ts';
import { planFork } from '../../app/sessions/locate-session.ts';
import { SmartForkError } from '../../domain/errors.ts';
import { AGENTS, type Agent } from '../../domain/session/session.ts';
import { EXIT } from '../run-command.ts';
import type { Chosen } from './choose-session.ts';
import { decide } from './decide-fork.ts';
import { dispatchFork } from './dispatch-fork.ts';
import type { ForkAction, ForkJob } from './fork-job.ts';
import { renderPreflight } from './render-preflight.ts';
import { renderSelection } from './render-selection.ts';

/** Shows what was chosen and what to expect, and forks it. */
export async function takeSession(job: ForkJob, chosen: Chosen): Promise<void> {
  const { context, forkParts, options } = job;
  const { terminal, parts, signal } = context;
  const { session } = chosen;
  const deps = await forkParts.dependencies();
  const agent = agentOf(options.into) ?? session.agent;
  const { path, restorable } = planFork(deps, session);
  const flight = await preflight(deps, session, {
    path,
    restorable,
    currentDirectory: process.cwd(),
    agent,
  });
  if (options.check === true) return showFlight(job, flight);
  if (options.json !== true) {
    terminal.err(renderSelection(session, terminal.errorLook, parts.machine.now()));
    terminal.err(renderPreflight(flight.checks, terminal.errorLook));
  }
  const decision = await decide(job, chosen, flight);
  if (decision === null || signal.aborted) {
    terminal.err('Nothing was forked.');
    process.exitCode = EXIT.interrupted;
    return;
  }
  if (decision.action === 'start') refuseWhatCannotStart(flight);
  const fork = await makeFork(deps, {
    session,
    query: chosen.query,
    turn: decision.turn,
    into: agentOf(options.into),
    inject: options.inject === true,
    name: options.name ?? null,
    currentDirectory: process.cwd(),
    startNow: decision.action === 'start',
    restoreNow: decision.action !== 'print' && decision.action !== 'copy',
  });
  await carryOut(job, chosen, fork, decision.action, flight);
}

async function carryOut(
  job: ForkJob,
  chosen: Chosen,
  fork: ReadyFork,
  action: ForkAction,
  flight: Preflight,
): Promise<void> {
  const { context, forkParts, options } = job;
  const { journal } = forkParts;
  const made = fork.way === 'turn' ? fork.resultSessionId : null;
  const id = journal.record({
    chosenAt: new Date(context.parts.machine.now()).toISOString(),
    query: chosen.query,
    rank: chosen.rank,
    sessionId: chosen.session.session_id,
    agent: fork.agent,
    way: fork.way,
    turn: fork.turn,
    resultSessionId: made,
  });
  try {
    if (context.signal.aborted) throw new SmartForkError('USAGE', 'cancelled');
    if (options.json === true) context.terminal.out(JSON.stringify(jsonOf(chosen, fork, flight)));
    else await dispatchFork(job, fork, action);
  } catch (error) {
    journal.withdraw(id);
    fork.discard();
    throw error;
  }
  if (made === null && isThere(job, fork)) journal.setResult(id, fork.resultSessionId ?? '');
}

/** An agent that was left before the first answer may have written nothing. */
function isThere({ context }: ForkJob, { agent, resultSessionId }: ReadyFork): boolean {
  const source = context.parts.sources.find((one) => one.agent === agent);
  return resultSessionId !== null && source?.locate(resultSessionId) != null;
}

function jsonOf({ session, rank }: Chosen, fork: ReadyFork, flight: Preflight) {
  const { type: _, ...record } = session;
  const { way, agent, words, directory, first, command, turn, resultSessionId, notes } = fork;
  return {
    session: record,
    rank,
    way,
    agent,
    command,
    words,
    directory,
    first,
    turn,
    result_session_id: resultSessionId,
    notes,
    preflight: flight,
  };
}

function showFlight({ context, options }: ForkJob, flight: Preflight): void {
  const { terminal } = context;
  if (options.json === true) terminal.out(JSON.stringify(flight));
  else terminal.out(renderPreflight(flight.checks, terminal));
  if (!flight.ready) process.exitCode = EXIT.failed;
}

/** The transcript may be elsewhere: then the context goes along. Without its program nothing starts. */
function refuseWhatCannotStart({ checks }: Preflight): void {
  const failed = checks.find(({ name, status }) => name === 'Agent' && status === 'fail');
  if (failed === undefined) return;
  throw new SmartForkError('USAGE', failed.message, failed.fix === undefined ? {} : { hint: failed.fix });
}

function agentOf(name: string | undefined): Agent | null {
  return AGENTS.find((agent) => agent === name) ?? null;
}
