import { listTopics } from '../../app/memory/list-topics.ts';
import { findSession } from '../../app/sessions/find-session.ts';
import { count, optionalSessionId } from '../fields.ts';
import { filterOf, filters } from '../filters.ts';
import { opened } from '../open.ts';
import { operation } from '../operation.ts';

export const topics = operation({
  summary: 'list the topics of a session, or of recent sessions',
  effect: 'reads',
  fields: {
    id: optionalSessionId,
    limit: count({ about: 'number of sessions', max: 200, default: 5, alias: 'n' }),
    ...filters,
  },
  async run(open, { id, limit, ...given }, caller) {
    const parts = await opened(open);
    const filter =
      id === undefined
        ? await filterOf(open, given, caller)
        : { sessionIds: [(await findSession(parts.store, id)).session_id] };
    return { sessions: await listTopics(parts, { filter, limit }) };
  },
  isEmpty: ({ sessions }) => sessions.length === 0,
});
