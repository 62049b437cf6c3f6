import * as z from 'zod';
import type { LaterView, RelationView } from '../../../domain/memory/memory-result.ts';
import { doubtText, LATER_TEXTS, relationText } from '../../../domain/text/memory-text.ts';
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
  fork_command: z.string(),
});

const answer = z.looseObject({
  session,
  turn: z.number().nullable().describe('counted from 0'),
  timestamp: z.string().nullable(),
  text: z.string(),
  later: z
    .looseObject({ why: z.string(), text: z.string() })
    .nullable()
    .describe('what is said after it that it may not hold'),
  fork_command: z.string().describe('forks at that turn'),
});

export const recall = operationTool({
  operation,
  name: 'recall',
  title: 'What past sessions decided',
  description: `Answers a question with the sentences of past sessions that answer it, then with related decisions, findings and open items, each with session, turn and date: "what did we decide about X", "why was X slow". Pass also: your guesses improve the answer most. ${QUOTED}`,
  unlisted: [...RARE_FILTERS, 'everywhere', 'mine'],
  about: {
    query: "the question, in the user's words; it can contain times and kinds",
    also: 'two guesses: identifiers, files, commands and errors that the answer names; a sentence that probably answers, as the agent would have said it',
    kinds: 'only these kinds',
    open: 'only open questions, problems and todos (true) or closed (false)',
  },
  narrow: { limit: { max: 50 } },
  defaults: { limit: 16 },
  output: z.object({
    understood: z.array(z.string()).describe('filters in the question'),
    fits: z.boolean().describe('false: the lines are only the closest'),
    answers: z.array(answer).describe('best first'),
    groups: z.array(z.object({ session, topic: z.string().nullable(), lines: z.array(line) })),
    others: z.array(session).describe('further sessions that search finds first'),
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
    const answers = found.answers.map((one) => ({
      ...one,
      session: sessionOf(one.session),
      text: sanitizeLine(one.text),
      asked: one.asked && sanitizeLine(one.asked),
      idea: one.idea && plainIdea(one.idea),
      relations: plainRelations(one.relations),
      later: one.later && { ...one.later, text: sanitizeLine(one.later.text) },
    }));
    const answerLines = found.answers.flatMap(
      ({ session: card, turn, timestamp, by, text, relations, later }) => [
        `- ${sourceOf(card.session_id, turn, timestamp)} of ${quoteLine(card.title)} (${card.repo_name}), ${by}: ${quoteLine(text)}`,
        ...laterLines(later),
        ...relationLines(relations, card.session_id),
      ],
    );
    const lines = found.groups.flatMap(({ session: card, topic, lines: own }) => [
      `${quoteLine(card.title)} (${card.repo_name})${topic === null ? '' : `, ${quoteLine(topic)}`}:`,
      ...own.flatMap((one) => [
        one.idea === null
          ? `- ${sourceOf(card.session_id, one.turn, one.timestamp)} ${one.type}: ${quoteLine(one.text)}`
          : `- ${ideaLine(one.idea)}`,
        ...relationLines(one.relations, card.session_id),
      ]),
    ]);
    return {
      structured: {
        understood: found.understood.map(({ text }) => text),
        fits: found.fits,
        answers,
        groups,
        others: found.others.map(sessionOf),
      },
      text:
        lines.length + answerLines.length === 0
          ? (found.notices.find(({ code }) => code === 'NOTHING_OPEN')?.message ?? "Past sessions don't say.")
          : [
              ...(found.fits ? [] : [`${doubtText(found)}. Closest:`]),
              QUOTED,
              ...answerLines,
              ...(lines.length === 0 ? [] : ['Related:', ...lines]),
            ].join('\n'),
    };
  },
});

function laterLines(later: LaterView | null): string[] {
  if (later === null) return [];
  const { why, session_id, turn, timestamp, text } = later;
  return [`  ${LATER_TEXTS[why]} ${sourceOf(session_id, turn, timestamp)}: ${quoteLine(text)}`];
}

function relationLines(relations: RelationView[], own: string): string[] {
  return relations.map(
    ({ kind, reversed, idea }) =>
      `  ${relationText(kind, reversed)} ${ideaLine(idea, { named: idea.session_id !== own })}`,
  );
}
