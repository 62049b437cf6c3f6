import { makeFork, type ReadyFork } from '../../app/fork/make-fork.ts';
import type { Preflight } from '../../app/fork/preflight.ts';
import { type PreparedFork, prepareFork } from '../../app/fork/prepare-fork.ts';
import { AGENTS, type Agent } from '../../domain/agent/agents.ts';
import { SmartForkError } from '../../domain/errors.ts';
import { shownRecord } from '../../domain/json/shown-record.ts';
import { EXIT } from '../run-command.ts';
import type { Chosen } from './choose-session.ts';
import { type Decision, decide, missingAgent } from './decide-fork.ts';
import { dispatchFork } from './dispatch-fork.ts';
import type { ForkJob, ForkOptions } from './fork-job.ts';
import { renderPreflight, renderSelection } from './render-fork.ts';
import { resumeSession } from './resume-session.ts';

/** Shows the chosen session and its preflight checks, then forks it. */
export async function takeSession(job: ForkJob, chosen: Chosen): Promise<void> {
  const { context, forkParts, options } = job;
  const { terminal, parts, signal } = context;
  const { session } = chosen;
  if (chosen.way === 'resume') return resumeSession(job, session);
  const prepared = await prepareFork(await forkParts.dependencies(), {
    session,
    agent: agentOf(options) ?? session.agent,
    currentDirectory: process.cwd(),
    turn: /^\d+$/.test(options.at ?? '') ? Number(options.at) : null,
  });
  const { flight } = prepared;
  if (options.check === true) return showFlight(job, flight);
  if (options.json !== true) {
    terminal.err(renderSelection(session, terminal.errorLook, parts.machine.now()));
    terminal.err(renderPreflight(flight.checks, terminal.errorLook));
  }
  const decision = await decide(job, chosen, prepared);
  if (decision === null || signal.aborted) {
    terminal.err('Nothing was forked.');
    process.exitCode = EXIT.interrupted;
    return;
  }
  await carryOut(job, chosen, decision, prepared);
}

async function carryOut(
  job: ForkJob,
  chosen: Chosen,
  { action, turn }: Decision,
  { location, flight }: PreparedFork,
): Promise<void> {
  const { context, forkParts, options } = job;
  // Without a transcript the context is injected: only a missing program prevents a start.
  const missing = action === 'start' ? missingAgent(flight) : undefined;
  if (missing !== undefined) throw new SmartForkError('USAGE', missing.message, { hint: missing.fix ?? '' });
  const fork = await makeFork(await forkParts.dependencies(), {
    ...chosen,
    location,
    turn,
    into: agentOf(options),
    currentDirectory: process.cwd(),
    inject: options.inject === true,
    name: options.name ?? null,
    startNow: action === 'start',
    writeNow: action !== 'print' && action !== 'copy',
  });
  try {
    if (context.signal.aborted) throw new SmartForkError('USAGE', 'cancelled');
    if (options.json === true) context.terminal.out(JSON.stringify(jsonOf(chosen, fork, flight)));
    else await dispatchFork(job, fork, action);
  } catch (error) {
    fork.discard();
    throw error;
  }
  fork.noteResult();
}

function agentOf({ into }: ForkOptions): Agent | null {
  return AGENTS.find((agent) => agent === into) ?? null;
}

function jsonOf({ session, rank }: Chosen, fork: ReadyFork, flight: Preflight) {
  const { way, agent, words, directory, first, command, turn, resultSessionId, notes } = fork;
  return {
    session: shownRecord(session),
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
