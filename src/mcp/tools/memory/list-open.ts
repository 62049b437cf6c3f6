import * as z from 'zod';
import { repository } from '../../../domain/json/memory.ts';
import { openItems } from '../../../operations/memory/open-items.ts';
import { operationTool } from '../../operation-tool.ts';
import { RARE_FILTERS } from '../../schemas.ts';
import { quoteLine } from '../../text/quote-line.ts';
import { ideaLine, QUOTED, sessionIdeas, sessionsOf } from './memory-schemas.ts';

export const listOpen = operationTool({
  operation: openItems,
  name: 'list_open',
  title: 'What is open',
  description: `Todos, questions and problems that no session has closed, newest first, of this project unless everywhere. ${QUOTED}`,
  unlisted: RARE_FILTERS,
  narrow: { limit: { max: 200 } },
  output: z.object({
    repository,
    sessions: z.array(sessionIdeas),
    left: z.number().describe('further ones'),
  }),
  annotations: { idempotentHint: true, openWorldHint: false },
  answer({ repository: here, sessions, left }) {
    const lines = sessions.flatMap(({ session, ideas }) => [
      `${quoteLine(session.title)} (${session.repo_name}):`,
      ...ideas.map((one) => `- ${ideaLine(one)}`),
    ]);
    return {
      structured: { repository: here, sessions: sessionsOf(sessions), left },
      text:
        lines.length === 0
          ? `Nothing is open${here === null ? '' : ` in ${here}`}.`
          : [QUOTED, ...lines, ...(left > 0 ? [`${left} more: raise limit`] : [])].join('\n'),
    };
  },
});
