import * as z from 'zod';
import { listOpen as openIn } from '../../../app/memory/list-open.ts';
import { filterOf } from '../../filter.ts';
import { openStore } from '../../open-store.ts';
import { filters } from '../../schemas.ts';
import { quoteLine } from '../../text/quote-line.ts';
import { defineTool } from '../../tool.ts';
import { ideaLine, QUOTED, sessionIdeas, sessionsOf } from './memory-schemas.ts';

export const listOpen = defineTool({
  name: 'list_open',
  title: 'What is open',
  description: `Todos, questions and problems that no session has closed, newest first. ${QUOTED}`,
  input: z.strictObject({
    kinds: z
      .array(z.enum(['todo', 'question', 'problem']))
      .min(1)
      .max(3)
      .optional(),
    ...filters,
    limit: z.int().min(1).max(200).default(20),
  }),
  output: z.object({ sessions: z.array(sessionIdeas), left: z.number().describe('number of further ideas') }),
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  async run({ kinds, limit, ...args }, call) {
    const { filter } = await filterOf(args, call);
    const deps = { ...call.parts, store: await openStore(call) };
    const { sessions, left } = await openIn(deps, { filter, limit, kinds });
    const lines = sessions.flatMap(({ session, ideas }) => [
      `${quoteLine(session.title)} (${session.repo_name}):`,
      ...ideas.map((one) => `- ${ideaLine(one)}`),
    ]);
    return {
      structured: { sessions: sessionsOf(sessions), left },
      text:
        lines.length === 0
          ? 'Nothing is open.'
          : [QUOTED, ...lines, ...(left > 0 ? [`${left} more: raise limit`] : [])].join('\n'),
    };
  },
});
