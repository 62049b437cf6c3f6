import * as z from 'zod';
import { relationText } from '../../../domain/memory/relation-text.ts';
import { sanitizeLine } from '../../../domain/text/sanitize.ts';
import { recall as operation } from '../../../operations/memory/recall.ts';
import { operationTool } from '../../operation-tool.ts';
import { RARE_FILTERS } from '../../schemas.ts';
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

const line = z.looseObject({
  type: z.string(),
  text: z.string(),
  turn: z.number().nullable().describe('counted from 0'),
  timestamp: z.string().nullable(),
  fork_command: z.string().describe('forks the session at that turn'),
});

export const recall = operationTool({
  operation,
  name: 'recall',
  title: 'What past sessions decided',
  description: `Answers a question from past decisions, findings, solutions and open items, each with session, turn and date: "what did we decide about X", "how did we fix X". If none matches, it returns passages. ${QUOTED}`,
  without: ['all'],
  unlisted: RARE_FILTERS,
  about: {
    query: "the question, in the user's words; it can contain times and kinds",
    kinds: 'only these kinds',
    open: 'only open questions, problems and todos (true) or closed (false)',
  },
  narrow: { limit: { max: 50 } },
  output: z.object({
    understood: z.array(z.string()).describe('filters in the question'),
    fits: z.boolean().describe('false: the lines are only the closest'),
    groups: z.array(z.object({ session, topic: z.string().nullable(), lines: z.array(line) })),
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
          ({ kind, reversed, idea: other }) =>
            `  ${relationText(kind, reversed)} ${ideaLine(other, { named: other.session_id !== card.session_id })}`,
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
