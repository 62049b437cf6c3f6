import { SmartForkError } from '../../domain/errors.ts';
import { shownRecord } from '../../domain/json/shown-record.ts';
import { restoreWords } from '../sessions/locate-session.ts';
import type { ForkDependencies, ForkRequest } from './fork-request.ts';
import type { ForkPlan } from './plan-fork.ts';
import type { Preflight } from './preflight.ts';
import { type ReadyFork, readyFork, startWords, stepNotes } from './ready-fork.ts';
import { recordFork } from './record-fork.ts';

/** The command that carries out a plan. Records the fork, unless the command is smart-fork's own: that records it when it runs. */
export async function printPlan(deps: ForkDependencies, plan: ForkPlan): Promise<ReadyFork> {
  const fork = describePlan(deps, plan);
  if (!isOurs(plan)) await recordFork(deps, plan.request, fork, { copiedBytes: null, printed: true });
  return fork;
}

/** As `printPlan`, without recording anything. */
export function describePlan(deps: Pick<ForkDependencies, 'sources' | 'machine'>, plan: ForkPlan): ReadyFork {
  const { request, steps } = plan;
  const [made] = steps;
  const imported = made?.do === 'import' ? made.prompts.length : made?.do === 'convert' ? made.turns : null;
  return readyFork(deps, plan, {
    ...(isOurs(plan) ? ourCommand(plan) : agentCommand(deps, plan)),
    turn: request.turn ?? imported,
    resultSessionId: null,
    notes: [...steps.flatMap((step) => stepNotes(step, request.agent, 'later')), ...plan.notes],
  });
}

/** Whether a step needs smart-fork, which then takes the others too. A restore has a command of its own. */
function isOurs({ steps }: ForkPlan): boolean {
  return steps.some((step) => step.do !== 'restore' && step.do !== 'start');
}

type Command = Pick<ReadyFork, 'words' | 'first'>;

function ourCommand({ request, way, steps }: ForkPlan): Command {
  const { session, agent, turn, name, query, folder = null } = request;
  const words = ['smart-fork', 'fork', session.session_id];
  const isContext = way === 'inject' && turn === null;
  if (isContext) words.push('--inject');
  if (isContext || agent !== session.agent) words.push('--into', agent);
  if (turn !== null) words.push('--at', String(turn));
  // The command goes there first.
  if (folder !== null) words.push('--folder', '.');
  words.push('--exec');
  if (name !== null) words.push('--name', name);
  // It chooses the passages, and is part of the first prompt.
  const mayPassContext = way === 'inject' || steps.some((step) => step.do === 'convert');
  if (mayPassContext && query !== null) words.push(`--query=${query}`);
  return { words, first: null };
}

function agentCommand(deps: Pick<ForkDependencies, 'sources'>, { request, steps }: ForkPlan): Command {
  const { session, location } = request;
  const restored = steps.find((step) => step.do === 'restore')?.to;
  const fork = restored ?? location.transcript;
  if (fork === null) throw new SmartForkError('TRANSCRIPT_UNREADABLE', 'its transcript is not here');
  return {
    words: startWords(deps, { fork }, request),
    first: restored === undefined ? location.first : restoreWords(session.session_id, location.directory),
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
