import * as z from 'zod';
import { treeIds } from '../../app/fork/fork-tree.ts';
import { runPlan } from '../../app/fork/run-plan.ts';
import { configuredTerminal } from '../../compose/fork.ts';
import { forkedBefore, madeFork, preflight as preflightShape } from '../../domain/json/fork.ts';
import { shortId } from '../../domain/session/session-id.ts';
import { countSearch, fork, plannedFork, preflight } from '../../operations/fork/fork.ts';
import { forks } from '../../operations/fork/forks.ts';
import { history } from '../../operations/fork/history.ts';
import { callerOf, operationRoute, operationsOf } from '../operation-route.ts';
import { HttpProblem } from '../problem.ts';
import { defineRoute } from '../route.ts';
import { sessionParams } from '../schemas/inputs.ts';
import { shortIdsOf, shortIdsShape } from '../short-ids.ts';

const { $schema: _, ...SHORT_IDS } = z.toJSONSchema(z.object(shortIdsShape), { io: 'input' });

export const getForks = operationRoute({
  operation: forks,
  method: 'get',
  path: '/api/v1/sessions/{id}/forks',
  tag: 'forks',
  output: { allOf: [{ $ref: '#/components/schemas/ForkTree' }, SHORT_IDS] },
  answer: async (tree, open) => ({ ...tree, ...(await shortIdsOf(open, treeIds(tree))) }),
});

export const listForks = operationRoute({
  operation: history,
  method: 'get',
  path: '/api/v1/forks',
  tag: 'forks',
  output: z.object({ forks: z.array(forkedBefore) }),
});

export const getPreflight = operationRoute({
  operation: preflight,
  method: 'get',
  path: '/api/v1/sessions/{id}/preflight',
  tag: 'forks',
  names: { at: 'turn' },
  output: preflightShape.extend({
    command: z.string(),
    words: z.array(z.string()),
    way: z.enum(['native', 'turn', 'inject']),
    directory: z.string().nullable(),
    notes: z.array(z.string()),
    launches: z.boolean().describe('whether a terminal is configured to open forks'),
  }),
  answer: (checked, open) => ({ ...checked, launches: configuredTerminal(open.parts.config) !== null }),
});

export const postFork = operationRoute({
  operation: fork,
  method: 'post',
  path: '/api/v1/sessions/{id}/fork',
  tag: 'forks',
  names: { at: 'turn' },
  output: madeFork,
});

export const postLaunch = defineRoute({
  method: 'post',
  path: '/api/v1/sessions/{id}/launch',
  summary: 'Open a fork in the configured terminal',
  tag: 'forks',
  params: sessionParams,
  body: z.strictObject({
    turn: z.number().int().min(1).optional().describe('last turn to include, from 1; default: all'),
    query: z.string().max(4000).optional().describe('what the user searched for'),
    rank: z.number().int().min(1).optional().describe('rank in the results'),
    folder: z.string().min(1).max(4096).optional().describe('folder in which it starts'),
  }),
  output: z.object({ terminal_id: z.string(), command: z.string() }),
  async run({ params, body }, open) {
    const launcher = configuredTerminal(open.parts.config);
    if (launcher === null) {
      const hint = 'Set one, for example: smart-fork config set fork.launch kitty';
      throw new HttpProblem(409, 'NO_TERMINAL', 'no terminal is configured', hint);
    }
    const { turn: at, query, rank, folder } = body;
    const given = { id: params.id, at, query, rank, folder };
    const { flight, plan, deps } = await plannedFork(operationsOf(open), given, callerOf());
    const failed = flight.checks.find(({ name, status }) => name === 'Agent' && status === 'fail');
    if (failed !== undefined) throw new HttpProblem(409, 'NOT_READY', failed.message, failed.fix);
    if (open.fromPage) countSearch(operationsOf(open), plan.request);
    return runPlan(deps, plan, async ({ command }) => {
      const result = await launcher.launch(command, `fork ${shortId(plan.request.session.session_id)}`);
      if ('terminalId' in result) return { terminal_id: result.terminalId, command };
      throw new HttpProblem(409, 'NOT_LAUNCHED', result.failed, 'Copy the command instead.');
    });
  },
});
