import { SmartForkError } from '../../domain/errors.ts';
import { shownRecord } from '../../domain/json/shown-record.ts';
import { startLine } from '../../domain/machine/shell.ts';
import { restoreWords } from '../sessions/locate-session.ts';
import type { ForkDependencies, ForkRequest, ReadyFork } from './fork-request.ts';
import { type ForkPlan, sourceOf } from './plan-fork.ts';
import { startWords, stepNotes } from './plan-words.ts';
import type { Preflight } from './preflight.ts';
import { recordFork } from './record-fork.ts';

/** The command that carries out a plan. Records the fork, unless the command is smart-fork's own: that records it when it runs. */
export async function printPlan(deps: ForkDependencies, plan: ForkPlan): Promise<ReadyFork> {
  const fork = describePlan(deps, plan);
  if (!isOurs(plan)) await recordFork(deps, plan.request, fork);
  return fork;
}

/** As `printPlan`, without recording anything. */
export function describePlan(deps: Pick<ForkDependencies, 'sources' | 'machine'>, plan: ForkPlan): ReadyFork {
  const { way, agent, directory, turn, steps, notes } = plan;
  const start = { ...(isOurs(plan) ? ourCommand(plan) : agentCommand(deps, plan)), directory };
  return {
    way,
    agent,
    ...start,
    command: startLine(start, deps.machine.shell),
    turn,
    resultSessionId: null,
    notes: [...steps.flatMap((step) => stepNotes(step, agent, 'later')), ...notes],
  };
}

type Command = Pick<ReadyFork, 'words' | 'first'>;

/** Whether a step needs smart-fork, which then takes the others too. A restore has a command of its own. */
function isOurs({ steps }: ForkPlan): boolean {
  return steps.some((step) => step.do === 'cut' || step.do === 'import' || step.do === 'write context');
}

function ourCommand({ request, way, agent }: ForkPlan): Command {
  const { session, turn, name, query } = request;
  const words = ['smart-fork', 'fork', session.session_id];
  const isContext = way === 'inject' && turn === null;
  if (isContext) words.push('--inject');
  if (isContext || agent !== session.agent) words.push('--into', agent);
  if (turn !== null) words.push('--at', String(turn));
  words.push('--exec');
  if (name !== null) words.push('--name', name);
  // It chooses the passages, and is part of the first prompt.
  if (way === 'inject' && query !== null) words.push(`--query=${query}`);
  return { words, first: null };
}

function agentCommand(deps: Pick<ForkDependencies, 'sources'>, plan: ForkPlan): Command {
  const { request, agent, directory, steps } = plan;
  const { session, location } = request;
  const restored = steps.find((step) => step.do === 'restore')?.to;
  const fork = restored ?? location.transcript;
  if (fork === null)
    throw new SmartForkError('TRANSCRIPT_UNREADABLE', 'the transcript is not on this machine');
  return {
    words: startWords(sourceOf(deps, agent), { fork }, plan),
    first: restored === undefined ? location.first : restoreWords(session.session_id, directory),
  };
}

/** The shape of `fork ID --json`. Fields may be added, never changed. */
export function forkJson(
  { session, rank }: Pick<ForkRequest, 'session' | 'rank'>,
  { way, agent, command, words, directory, first, turn, resultSessionId, notes }: ReadyFork,
  flight: Preflight,
) {
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
