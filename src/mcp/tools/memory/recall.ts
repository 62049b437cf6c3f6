import * as z from 'zod';
import { recall as answer } from '../../../app/memory/recall.ts';
import { recalledLine } from '../../../domain/json/memory.ts';
import { relationText } from '../../../domain/memory/relation-text.ts';
import { sanitizeLine } from '../../../domain/text/sanitize.ts';
import { filterOf } from '../../filter.ts';
import { openStore } from '../../open-store.ts';
import { filters } from '../../schemas.ts';
import { quoteLine } from '../../text/quote-line.ts';
import { defineTool } from '../../tool.ts';
import {
  ideaLine,
  kinds,
  plainIdea,
  plainRelations,
  QUOTED,
  session,
  sessionOf,
  sourceOf,
} from './memory-schemas.ts';

export const recall = defineTool({
  name: 'recall',
  title: 'What past sessions decided',
  description: `Answers a question from past decisions, findings, solutions and open items; each line has its session, turn and date. Use it for "what did we decide about X", "what went wrong with X", "how did we fix X", "what is open". If no idea matches, it returns passages. To find a session to fork, use fork_detect. ${QUOTED}`,
  input: z.strictObject({
    query: z
      .string()
      .trim()
      .min(1)
      .max(4000)
      .describe("the question, in the user's words; it can contain times and kinds"),
    kinds: kinds.optional().describe('only these kinds'),
    open: z.boolean().optional().describe('only open questions, problems and todos (true) or closed (false)'),
    limit: z.int().min(1).max(50).default(8),
    ...filters,
  }),
  output: z.object({
    understood: z.array(z.string()).describe('filters in the question'),
    fits: z
      .boolean()
      .describe("false: no passage has half of the question's words; the lines are only the closest"),
    groups: z.array(z.object({ session, topic: z.string().nullable(), lines: z.array(recalledLine) })),
  }),
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  async run({ query, kinds: only, open, limit, ...args }, call) {
    const { filter } = await filterOf(args, call);
    const found = await answer(
      { ...call.parts, store: await openStore(call) },
      {
        query,
        limit,
        filter: call.running.length > 0 ? { ...filter, excludeSessionIds: call.running } : filter,
        kinds: only,
        open,
      },
    );
    const groups = found.groups.map(({ session: card, topic, lines: own }) => ({
      session: sessionOf(card),
      topic: topic === null ? null : sanitizeLine(topic),
      lines: own.map((one) => ({
        ...one,
        text: sanitizeLine(one.text),
        idea: one.idea && plainIdea(one.idea),
        relations: plainRelations(one.relations),
      })),
    }));
    const lines = found.groups.flatMap(({ session: card, topic, lines: own }) => [
      `${quoteLine(topic ?? card.title)} (${card.repo_name}):`,
      ...own.flatMap((one) => [
        one.idea === null
          ? `- ${sourceOf(card.session_id, one.turn, one.timestamp)} ${one.type}: ${quoteLine(one.text)}`
          : `- ${ideaLine(one.idea)}`,
        ...one.relations.map(
          ({ kind, reversed, idea: other }) => `  ${relationText(kind, reversed)} ${ideaLine(other)}`,
        ),
      ]),
    ]);
    return {
      structured: { understood: found.understood.map(({ text }) => text), fits: found.fits, groups },
      text:
        lines.length === 0
          ? "Past sessions don't say."
          : [...(found.fits ? [] : ['Past sessions may not say. Closest:']), QUOTED, ...lines].join('\n'),
    };
  },
});
