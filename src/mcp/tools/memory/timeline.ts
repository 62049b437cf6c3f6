import * as z from 'zod';
import { repository } from '../../../domain/json/memory.ts';
import { relationText } from '../../../domain/text/memory-text.ts';
import { timeline as operation } from '../../../operations/memory/timeline.ts';
import { operationTool } from '../../operation-tool.ts';
import { RARE_FILTERS } from '../../schemas.ts';
import { quoteLine } from '../../text/quote-line.ts';
import { ideaLine, QUOTED, sessionIdeas, sessionsOf } from './memory-schemas.ts';

export const timeline = operationTool({
  operation,
  name: 'timeline',
  title: 'Timeline of decisions',
  description: `Lists decisions, findings and solutions, oldest first: of this project (or everywhere), about one entity (a file, package, error), or about one decision (query) and those it replaced. ${QUOTED}`,
  unlisted: [...RARE_FILTERS, 'literal'],
  about: {
    query: 'follow one decision',
    entity: 'a name, or type:name',
    kinds: 'default: decision, conclusion, problem, solution',
  },
  narrow: { limit: { max: 200 } },
  output: z.object({
    repository,
    understood: z.array(z.string()).describe('filters in the query'),
    entities: z.array(z.string()).describe('entities that entity matched'),
    sessions: z.array(sessionIdeas),
    left: z.number().describe('older ones left out'),
  }),
  annotations: { idempotentHint: true, openWorldHint: false },
  answer(found) {
    const lines = found.sessions.flatMap(({ session, ideas }) => [
      `${quoteLine(session.title)} (${session.repo_name}):`,
      ...ideas.flatMap((one) => [
        `- ${ideaLine(one)}`,
        ...one.relations
          .filter(({ kind }) => kind !== 'relates_to')
          .map(
            ({ kind, reversed, idea }) =>
              `  ${relationText(kind, reversed)} ${ideaLine(idea, { named: idea.session_id !== session.session_id })}`,
          ),
      ]),
    ]);
    return {
      structured: {
        ...found,
        understood: found.understood.map(({ text }) => text),
        sessions: sessionsOf(found.sessions),
      },
      text: lines.length === 0 ? 'Nothing found.' : [QUOTED, ...lines].join('\n'),
    };
  },
});
