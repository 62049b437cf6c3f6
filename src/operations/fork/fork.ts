import { chosenFolder } from '../../app/fork/chosen-folder.ts';
import type { ForkRequest } from '../../app/fork/fork-request.ts';
import { planFork } from '../../app/fork/plan-fork.ts';
import { prepareFork } from '../../app/fork/prepare-fork.ts';
import { describePlan, forkJson, printPlan } from '../../app/fork/print-plan.ts';
import { findSession } from '../../app/sessions/find-session.ts';
import { AGENTS } from '../../domain/agent/agents.ts';
import type { Caller } from '../caller.ts';
import { choice, count, flag, type Input, sessionId, text } from '../fields.ts';
import type { Open } from '../open.ts';
import { operation } from '../operation.ts';

const fields = {
  id: sessionId,
  at: count({ about: 'last turn to include, from 1; default: all' }),
  into: choice(AGENTS, { about: 'agent to continue in; default: its own' }),
  inject: flag({ about: 'start a new session with its context as text' }),
  name: text({ about: 'name of the new session', min: 1, max: 200 }),
  query: text({ about: 'what the user searched for', max: 4000, also: 'q' }),
  rank: count({ about: 'rank in the results' }),
  folder: text({
    about: "folder in which it starts; default: the session's own, or another checkout of its repository",
    min: 1,
    max: 4096,
  }),
};

export const fork = operation({
  summary: 'record a fork, and get the command that makes it',
  effect: 'writes',
  fields,
  async run(open, input, caller) {
    const { flight, plan, deps } = await plannedFork(open, input, caller);
    if (caller.isTyping === true) countSearch(open, plan.request);
    return forkJson(plan.request, await printPlan(deps, plan), flight);
  },
});

const { id, at, into, inject, folder } = fields;

export const preflight = operation({
  summary: 'check a fork before it is made, and get its command',
  effect: 'reads',
  fields: { id, at, into, inject, folder },
  async run(open, input, caller) {
    const { flight, plan, deps } = await plannedFork(open, input, caller);
    const { command, words, way, directory, notes } = describePlan(deps, plan);
    return { ...flight, command, words, way, directory, notes };
  },
});

/** Searches are not counted while the user types, but the one of which a result is forked is. */
export function countSearch(
  { searchAids, machine }: Pick<Open, 'searchAids' | 'machine'>,
  { rank }: Pick<ForkRequest, 'rank'>,
): void {
  if (rank === null) return;
  searchAids.log?.note({ at: new Date(machine.now()).toISOString(), results: null, fit: null, ms: null });
}

/** The checks before a fork, and its plan. Writes nothing. */
export async function plannedFork(open: Open, input: Input<typeof fields>, { directory }: Caller) {
  const { at: turn = null, name = null, query = null, rank = null, inject: asText = false } = input;
  const deps = await open.fork();
  const session = await findSession(await open.store(), input.id);
  const agent = input.into ?? session.agent;
  const chosen = chosenFolder(deps, input.folder, directory);
  const wanted = { session, agent, turn, query: query || null, inject: asText, folder: chosen };
  const prepared = await prepareFork(deps, { ...wanted, currentDirectory: directory });
  const { location, flight } = prepared;
  const request = { ...wanted, location, rank, name };
  return { flight, deps, plan: await planFork(deps, request) };
}
