import { listTopics } from '../../app/memory/list-topics.ts';
import { topicsAcross } from '../../app/memory/topics-across.ts';
import { findSession } from '../../app/sessions/find-session.ts';
import { count, optionalSessionId } from '../fields.ts';
import { filters } from '../filters.ts';
import { opened } from '../open.ts';
import { operation } from '../operation.ts';
import { everywhere, filterHere } from './here.ts';

export const topics = operation({
  summary: 'list the topics of a session, or of all sessions with where each stands and what is open',
  effect: 'reads',
  fields: {
    id: optionalSessionId,
    limit: count({ about: 'number of topics, newest first', max: 200, default: 10, alias: 'n' }),
    everywhere,
    ...filters,
  },
  async run(open, { id, limit, ...given }, caller) {
    const parts = await opened(open);
    if (id === undefined) {
      const { filter, ...here } = await filterHere(open, given, caller);
      return { ...here, ...(await topicsAcross(parts, { filter, limit })), sessions: [] };
    }
    const filter = { sessionIds: [(await findSession(parts.store, id)).session_id] };
    return {
      repository: null,
      notices: [],
      topics: [],
      left: 0,
      sessions: await listTopics(parts, { filter, limit: 1 }),
    };
  },
  // Of a named session, all is known.
  mayLack: ({ sessions }) => sessions.length === 0,
  isEmpty: ({ sessions, topics: found }) => sessions.length === 0 && found.length === 0,
});
