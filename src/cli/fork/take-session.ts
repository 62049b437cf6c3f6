import { makeFork, type ReadyFork } from '../../app/fork/make-fork.ts';
import type { Preflight } from '../../app/fork/preflight.ts';
import { prepareFork } from '../../app/fork/prepare-fork.ts';
import { SmartForkError } from '../../domain/errors.ts';
import { AGENTS } from '../../domain/session/session.ts';
import { EXIT } from '../run-command.ts';
import type { Chosen } from './choose-session.ts';
import { decide } from './decide-fork.ts';
import { dispatchFork } from './dispatch-fork.ts';
import type { ForkJob } from './fork-job.ts';
import { renderPreflight, renderSelection } from './render-fork.ts';

/** Shows the chosen session and what to expect, and forks it. */
export async function takeSession(job: ForkJob, chosen: Chosen): Promise<void> {
  const { context, forkParts, options } = job;
  const { terminal, parts, signal } = context;
  const { session } = chosen;
  const deps = await forkParts.dependencies();
  const into = AGENTS.find((agent) => agent === options.into) ?? null;
  const currentDirectory = process.cwd();
  const prepared = await prepareFork(deps, {
    session,
    currentDirectory,
    ...(into !== null && { agent: into }),
  });
  const { location, flight } = prepared;
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
  const { action, turn } = decision;
  if (action === 'start') refuseWhatCannotStart(flight);
  const fork = await makeFork(deps, {
    ...chosen,
    ...{ location, turn, into, currentDirectory },
    inject: options.inject === true,
    name: options.name ?? null,
    startNow: action === 'start',
    restoreNow: action !== 'print' && action !== 'copy',
  });
  try {
    if (signal.aborted) throw new SmartForkError('USAGE', 'cancelled');
    if (options.json === true) terminal.out(JSON.stringify(jsonOf(chosen, fork, flight)));
    else await dispatchFork(job, fork, action);
  } catch (error) {
    fork.discard();
    throw error;
  }
  fork.noteResult();
}

function jsonOf({ session, rank }: Chosen, fork: ReadyFork, flight: Preflight) {
  const { type: _, ...record } = session;
  const { way, agent, words, directory, first, command, turn, resultSessionId, notes } = fork;
  return {
    session: record,
    ...{ rank, way, agent, command, words, directory, first, turn },
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

/** Only a missing program stops a start: without a transcript the context goes along. */
function refuseWhatCannotStart({ checks }: Preflight): void {
  const failed = checks.find(({ name, status }) => name === 'Agent' && status === 'fail');
  if (failed === undefined) return;
  throw new SmartForkError('USAGE', failed.message, failed.fix === undefined ? {} : { hint: failed.fix });
}
