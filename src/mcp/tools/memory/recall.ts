import * as z from 'zod';
import { recalledLine } from '../../../domain/json/memory.ts';
import { relationText } from '../../../domain/memory/relation-text.ts';
import { sanitizeLine } from '../../../domain/text/sanitize.ts';
import { recall as operation } from '../../../operations/memory/recall.ts';
import { operationTool } from '../../operation-tool.ts';
import { quoteLine } from '../../text/quote-line.ts';
import {
  ideaLine,
  plainIdea,
  plainRelations,
  QUOTED,
  session,
  sessionOf,
  sourceOf,
} from './memory-schemas.ts';

export const recall = operationTool({
  operation,
  name: 'recall',
  title: 'What past sessions decided',
  description: `Answers a question from past decisions, findings, solutions and open items; each line has its session, turn and date. Use it for "what did we decide about X", "what went wrong with X", "how did we fix X", "what is open". If no idea matches, it returns passages. To find a session to fork, use fork_detect. ${QUOTED}`,
  without: ['all'],
  about: {
    query: "the question, in the user's words; it can contain times and kinds",
    kinds: 'only these kinds',
    open: 'only open questions, problems and todos (true) or closed (false)',
  },
  narrow: { limit: { max: 50 } },
  output: z.object({
    understood: z.array(z.string()).describe('filters in the question'),
    fits: z
      .boolean()
      .describe("false: no passage has half of the question's words; the lines are only the closest"),
    groups: z.array(z.object({ session, topic: z.string().nullable(), lines: z.array(recalledLine) })),
  }),
  annotations: { idempotentHint: true, openWorldHint: false },
  answer(found) {
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
