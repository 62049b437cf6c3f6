import * as z from 'zod';
import { openItems } from '../../../operations/memory/open-items.ts';
import { operationTool } from '../../operation-tool.ts';
import { RARE_FILTERS } from '../../schemas.ts';
import { quoteLine } from '../../text/quote-line.ts';
import { ideaLine, QUOTED, sessionIdeas, sessionsOf } from './memory-schemas.ts';

export const listOpen = operationTool({
  operation: openItems,
  name: 'list_open',
  title: 'What is open',
  description: `Todos, questions and problems that no session has closed, newest first. ${QUOTED}`,
  without: ['all'],
  unlisted: RARE_FILTERS,
  narrow: { limit: { max: 200 } },
  output: z.object({ sessions: z.array(sessionIdeas), left: z.number().describe('further ones') }),
  annotations: { idempotentHint: true, openWorldHint: false },
  answer({ sessions, left }) {
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
