import { chosenFolder } from '../../app/fork/chosen-folder.ts';
import { planFork } from '../../app/fork/plan-fork.ts';
import type { Preflight } from '../../app/fork/preflight.ts';
import { type PreparedFork, prepareFork } from '../../app/fork/prepare-fork.ts';
import { forkJson, printPlan } from '../../app/fork/print-plan.ts';
import { resolveForks } from '../../app/fork/resolve-forks.ts';
import { runPlan } from '../../app/fork/run-plan.ts';
import { composeFork } from '../../compose/fork.ts';
import { AGENT_ROWS, AGENTS, type Agent } from '../../domain/agent/agents.ts';
import { agentMissing } from '../../domain/agent/missing-program.ts';
import { SmartForkError } from '../../domain/errors.ts';
import { type CommandContext, EXIT } from '../run-command.ts';
import type { Chosen } from './choose-session.ts';
import { type Decision, decide, missingAgent, turnOf } from './decide-fork.ts';
import type { ForkJob, ForkOptions } from './fork-job.ts';
import { renderPreflight, renderSelection } from './render-fork.ts';
import { resumeSession } from './resume-session.ts';
import { showFork, startFork } from './start-fork.ts';

/** Runs `fork`: from a chosen session to a running conversation. */
export async function runFork(context: CommandContext, options: ForkOptions, chosen: Chosen): Promise<void> {
  const { parts, terminal } = context;
  const started = performance.now();
  const forkParts = composeFork(parts, context.env, ({ message }) =>
    terminal.err(`Could not record this fork: ${message}`),
  );
  try {
    const deps = await forkParts.dependencies();
    await resolveForks(deps, parts.machine.now());
    const job = { context, forkParts, deps, options, started };
    await (chosen.way === 'resume' ? resumeSession(job, chosen.session) : takeSession(job, chosen));
  } finally {
    forkParts.close();
  }
}

/** Shows the chosen session and its preflight checks, then forks it. */
async function takeSession(job: ForkJob, chosen: Chosen): Promise<void> {
  const { context, deps, options } = job;
  const { terminal, parts, signal } = context;
  const { session } = chosen;
  const turn = options.at === undefined ? null : await turnOf(options.at, job, chosen);
  const prepared = await prepareFork(deps, {
    session,
    agent: agentOf(job, chosen),
    currentDirectory: process.cwd(),
    turn,
    inject: options.inject === true,
    query: chosen.query,
    folder: folderOf(job),
  });
  const { flight } = prepared;
  if (options.check === true) return showFlight(job, flight);
  if (options.json !== true) {
    terminal.err(renderSelection(session, terminal.errorLook, parts.machine.now(), chosen.rank === null));
    terminal.err(renderPreflight(flight.checks, terminal.errorLook));
  }
  const asked = performance.now();
  const decision = await decide(job, chosen, prepared, turn);
  job.started += performance.now() - asked;
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
  const { context, deps, options } = job;
  // Without a transcript the context is injected: only a missing program prevents a start.
  const missing = action === 'start' ? missingAgent(flight) : undefined;
  const { program } = AGENT_ROWS[agentOf(job, chosen)];
  if (missing !== undefined && flight.facts.program === null && program !== null) throw agentMissing(program);
  if (missing !== undefined) throw new SmartForkError('USAGE', missing.message, { hint: missing.fix ?? '' });
  const plan = await planFork(deps, {
    session: chosen.session,
    location,
    agent: agentOf(job, chosen),
    query: chosen.query,
    rank: chosen.rank,
    turn,
    inject: options.inject === true,
    name: options.name ?? null,
    folder: folderOf(job),
  });
  if (context.signal.aborted) throw new SmartForkError('USAGE', 'cancelled');
  if (action !== 'print' && action !== 'copy') {
    const startsHere = action === 'start';
    return runPlan(deps, plan, (fork) => startFork(job, fork, action), {
      startsHere,
      signal: context.signal,
    });
  }
  const fork = await printPlan(deps, plan);
  if (options.json === true) context.terminal.out(JSON.stringify(forkJson(chosen, fork, flight)));
  else await showFork(job, fork, action);
}

function folderOf({ deps, options }: ForkJob): string | null {
  return chosenFolder(deps, options.folder, process.cwd());
}

function agentOf({ options }: ForkJob, { session }: Chosen): Agent {
  return AGENTS.find((agent) => agent === options.into) ?? session.agent;
}

function showFlight({ context, options }: ForkJob, flight: Preflight): void {
  const { terminal } = context;
  if (options.json === true) terminal.out(JSON.stringify(flight));
  else terminal.out(renderPreflight(flight.checks, terminal));
  if (!flight.ready) process.exitCode = EXIT.failed;
}
