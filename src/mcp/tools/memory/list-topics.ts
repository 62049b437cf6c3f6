import * as z from 'zod';
import { listTopics as topicsOf } from '../../../app/memory/list-topics.ts';
import { findSession } from '../../../app/sessions/find-session.ts';
import { topic } from '../../../domain/json/memory.ts';
import { sanitizeLine } from '../../../domain/text/sanitize.ts';
import { plural } from '../../../domain/text/time-text.ts';
import { filterOf } from '../../filter.ts';
import { openStore } from '../../open-store.ts';
import { filters, sessionId } from '../../schemas.ts';
import { quoteLine } from '../../text/quote-line.ts';
import { defineTool } from '../../tool.ts';
import { QUOTED, session, sessionOf } from './memory-schemas.ts';

export const listTopics = defineTool({
  name: 'list_topics',
  title: 'Topics of sessions',
  description: `Lists the topics of one session, or of the newest sessions, with turns, summaries and numbers of ideas. ${QUOTED}`,
  input: z.strictObject({
    session_id: sessionId.optional(),
    ...filters,
    limit: z.int().min(1).max(50).default(5).describe('sessions'),
  }),
  output: z.object({ sessions: z.array(z.object({ session, topics: z.array(topic) })) }),
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  async run({ session_id, limit, ...args }, call) {
    const store = await openStore(call);
    const filter =
      session_id === undefined
        ? (await filterOf(args, call)).filter
        : { sessionIds: [(await findSession(store, session_id)).session_id] };
    const found = await topicsOf({ ...call.parts, store }, { filter, limit });
    const lines = found.flatMap(({ session: card, topics }) => [
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
      text: lines.length === 0 ? 'No matching sessions.' : [QUOTED, ...lines].join('\n'),
    };
  },
});
