import * as z from 'zod';
import { repository } from '../../../domain/json/memory.ts';
import type { TopicAcross } from '../../../domain/memory/memory-result.ts';
import { sanitizeLine } from '../../../domain/text/sanitize.ts';
import { plural } from '../../../domain/text/time-text.ts';
import { topics as operation } from '../../../operations/memory/topics.ts';
import { operationTool } from '../../operation-tool.ts';
import { RARE_FILTERS } from '../../schemas.ts';
import { quoteLine } from '../../text/quote-line.ts';
import { ideaLine, plainIdea, QUOTED, session, sessionOf } from './memory-schemas.ts';

const topic = z.looseObject({
  name: z.string(),
  summary: z.string(),
  depth: z.number(),
  first_turn: z.number().describe('counted from 0'),
  last_turn: z.number(),
});

export const listTopics = operationTool({
  operation,
  name: 'list_topics',
  title: 'Topics of sessions',
  description: `Lists the topics of one session with turns and summaries; without session_id those of this project (or everywhere), newest first, each with its sessions, where it stands and what is open. ${QUOTED}`,
  unlisted: RARE_FILTERS,
  names: { id: 'session_id' },
  about: { id: 'session id or unique prefix', limit: 'topics' },
  narrow: { limit: { max: 50 } },
  output: z.object({
    repository,
    topics: z.array(z.looseObject({ name: z.string() })).describe('without session_id'),
    left: z.number(),
    sessions: z.array(z.object({ session, topics: z.array(topic) })),
  }),
  annotations: { idempotentHint: true, openWorldHint: false },
  answer({ sessions: found, topics: across, ...rest }) {
    const lines = across.flatMap(linesOf);
    const ofSessions = found.flatMap(({ session: card, topics }) => [
      `${card.session_id} ${quoteLine(card.title)} (${card.repo_name})`,
      ...topics.map((one) => {
        const turns =
          one.first_turn === one.last_turn
            ? `turn ${one.first_turn + 1}`
            : `turns ${one.first_turn + 1}-${one.last_turn + 1}`;
        const ideas = Object.entries(one.ideas)
          .map(([kind, n]) => plural(n, kind))
          .join(', ');
        return `${'  '.repeat(Math.min(4, one.depth + 1))}- ${turns}: ${quoteLine(one.name)}${ideas === '' ? '' : ` (${ideas})`}`;
      }),
    ]);
    return {
      structured: {
        ...rest,
        topics: across.map((one) => ({
          ...one,
          name: sanitizeLine(one.name),
          newest: one.newest === null ? null : plainIdea(one.newest),
          open: one.open.map(plainIdea),
        })),
        sessions: found.map(({ session: card, topics }) => ({
          session: sessionOf(card),
          topics: topics.map((one) => ({
            ...one,
            name: sanitizeLine(one.name),
            summary: sanitizeLine(one.summary),
            files: one.files.map(sanitizeLine),
          })),
        })),
      },
      text:
        lines.length + ofSessions.length === 0
          ? 'No matching sessions.'
          : [QUOTED, ...lines, ...ofSessions].join('\n'),
    };
  },
});

function linesOf({ name, repo_name, sessions, newest, open }: TopicAcross): string[] {
  return [
    `${quoteLine(name)} (${repo_name}, ${plural(sessions.length, 'session')}):`,
    ...(newest === null ? [] : [`- stands at ${ideaLine(newest)}`]),
    ...open.map((idea) => `- ${ideaLine(idea)}`),
    ...sessions.map(
      ({ session_id, last_turn, title }) =>
        `- in ${session_id}, until turn ${last_turn + 1}: ${quoteLine(title)}`,
    ),
  ];
}
