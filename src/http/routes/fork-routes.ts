import * as z from 'zod';
import { type ForkTree, forkTree, readForkLinks } from '../../app/fork/fork-tree.ts';
import { planFork } from '../../app/fork/plan-fork.ts';
import { prepareFork } from '../../app/fork/prepare-fork.ts';
import { describePlan, forkJson, printPlan } from '../../app/fork/print-plan.ts';
import { runPlan } from '../../app/fork/run-plan.ts';
import { configuredTerminal } from '../../compose/fork.ts';
import { madeFork, preflight } from '../../domain/json/fork.ts';
import { shortId } from '../../domain/session/session-id.ts';
import { type Open, openSession } from '../context.ts';
import { HttpProblem } from '../problem.ts';
import { defineRoute } from '../route.ts';
import { sessionParams } from '../schemas/inputs.ts';
import { shortIdsOf, shortIdsShape } from '../short-ids.ts';

const turn = z.number().int().min(1).describe('last turn to include, from 1; default: all');
const { $schema: _, ...SHORT_IDS } = z.toJSONSchema(z.object(shortIdsShape), { io: 'input' });
const forkBody = z.strictObject({
  turn: turn.optional(),
  query: z.string().max(4000).optional().describe('what the user searched for'),
  rank: z.number().int().min(1).optional().describe('rank in the results'),
});

export const getForks = defineRoute({
  method: 'get',
  path: '/api/v1/sessions/{id}/forks',
  summary: 'The tree of forks that a session belongs to',
  tag: 'forks',
  params: sessionParams,
  output: { allOf: [{ $ref: '#/components/schemas/ForkTree' }, SHORT_IDS] },
  async run({ params }, open) {
    const { session, deps } = await openSession(open, params.id);
    const tree = forkTree(deps, await readForkLinks(deps.store), session.session_id);
    return { ...tree, ...(await shortIdsOf(open, idsIn(tree))) };
  },
});

export const getPreflight = defineRoute({
  method: 'get',
  path: '/api/v1/sessions/{id}/preflight',
  summary: 'The checks before a fork, and its command',
  tag: 'forks',
  params: sessionParams,
  query: z.object({ turn: z.coerce.number().int().min(1).optional() }),
  output: preflight.extend({
    command: z.string(),
    words: z.array(z.string()),
    way: z.enum(['native', 'turn', 'inject']),
    directory: z.string().nullable(),
    notes: z.array(z.string()),
    launches: z.boolean().describe('whether a terminal is configured to open forks'),
  }),
  async run({ params, query }, open) {
    const { flight, plan, deps } = await prepare(open, params.id, { turn: query.turn });
    const { command, words, way, directory, notes } = describePlan(deps, plan);
    const launches = configuredTerminal(open.parts.config) !== null;
    return { ...flight, command, words, way, directory, notes, launches };
  },
});

export const postFork = defineRoute({
  method: 'post',
  path: '/api/v1/sessions/{id}/fork',
  summary: 'Record a fork, and get its command to copy',
  tag: 'forks',
  params: sessionParams,
  body: forkBody,
  output: madeFork,
  async run({ params, body }, open) {
    const { flight, plan, deps } = await prepare(open, params.id, body);
    return forkJson(plan.request, await printPlan(deps, plan), flight);
  },
});

export const postLaunch = defineRoute({
  method: 'post',
  path: '/api/v1/sessions/{id}/launch',
  summary: 'Open a fork in the configured terminal',
  tag: 'forks',
  params: sessionParams,
  body: forkBody,
  output: z.object({ terminal_id: z.string(), command: z.string() }),
  async run({ params, body }, open) {
    const launcher = configuredTerminal(open.parts.config);
    if (launcher === null) {
      const hint = 'Set one, for example: smart-fork config set fork.launch kitty';
      throw new HttpProblem(409, 'NO_TERMINAL', 'no terminal is configured', hint);
    }
    const { session, flight, plan, deps } = await prepare(open, params.id, body);
    const failed = flight.checks.find(({ name, status }) => name === 'Agent' && status === 'fail');
    if (failed !== undefined) throw new HttpProblem(409, 'NOT_READY', failed.message, failed.fix);
    return runPlan(deps, plan, async ({ command }) => {
      const result = await launcher.launch(command, `fork ${shortId(session.session_id)}`);
      if ('terminalId' in result) return { terminal_id: result.terminalId, command };
      throw new HttpProblem(409, 'NOT_LAUNCHED', result.failed, 'Copy the command instead.');
    });
  },
});

function idsIn({ session_id, forks }: ForkTree): string[] {
  return [session_id, ...forks.flatMap(idsIn)];
}

async function prepare(
  open: Open,
  id: string,
  {
    turn = null,
    query = null,
    rank = null,
  }: { turn?: number | null; query?: string | null; rank?: number | null },
) {
  const { session } = await openSession(open, id);
  const deps = await open.fork.dependencies();
  const { location, flight } = await prepareFork(deps, { session, currentDirectory: process.cwd() });
  const request = { session, location, agent: session.agent, turn, query, rank };
  const plan = await planFork(deps, { ...request, inject: false, name: null });
  return { session, flight, plan, deps };
}
