import * as z from 'zod';
import { timeline as storyOf } from '../../../app/memory/timeline.ts';
import { relationText } from '../../../domain/memory/relation-text.ts';
import { filterOf } from '../../filter.ts';
import { openStore } from '../../open-store.ts';
import { filters } from '../../schemas.ts';
import { defineTool } from '../../tool.ts';
import { ideaLine, kinds, QUOTED, sessionIdeas, sessionsOf } from './memory-schemas.ts';

export const timeline = defineTool({
  name: 'timeline',
  title: 'Timeline of decisions',
  description: `Lists decisions, findings and solutions, oldest first: of a project, about one entity (a file, package, error), or about one decision (query) and those it replaced. ${QUOTED}`,
  input: z.strictObject({
    query: z.string().trim().min(1).max(4000).optional().describe('follow one decision'),
    entity: z.string().trim().min(1).max(400).optional().describe('a name, or type:name'),
    kinds: kinds.optional().describe('default: decision, conclusion, problem, solution'),
    ...filters,
    limit: z.int().min(1).max(200).default(30),
  }),
  output: z.object({
    entities: z.array(z.string()).describe('entities that entity matched'),
    sessions: z.array(sessionIdeas),
    left: z.number().describe('number of older ideas not in the answer'),
  }),
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  async run({ query, entity, kinds: only, limit, ...args }, call) {
    const { filter } = await filterOf(args, call);
    const request = {
      filter,
      limit,
      query,
      entity,
      kinds: only,
    };
    const found = await storyOf({ ...call.parts, store: await openStore(call) }, request);
    const lines = found.sessions.flatMap(({ ideas }) =>
      ideas.flatMap((one) => [
        `- ${ideaLine(one)}`,
        ...one.relations
          .filter(({ kind }) => kind !== 'relates_to')
          .map(({ kind, reversed, idea }) => `  ${relationText(kind, reversed)} ${ideaLine(idea)}`),
      ]),
    );
    return {
      structured: {
        ...found,
        sessions: sessionsOf(found.sessions),
      },
      text: lines.length === 0 ? 'Nothing found.' : [QUOTED, ...lines].join('\n'),
    };
  },
});
