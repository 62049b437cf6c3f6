import { count, text } from '../fields.ts';
import { filterOf, filters } from '../filters.ts';
import { operation } from '../operation.ts';

export const sessions = operation({
  name: 'sessions',
  summary: 'list recent sessions',
  effect: 'reads',
  fields: {
    limit: count({ about: 'maximum number of sessions, newest first', max: 1000, default: 20, alias: 'n' }),
    cursor: text({ about: 'continue from the cursor of an earlier list', min: 1, max: 1000 }),
    ...filters,
  },
  async run(open, { limit, cursor, ...given }, caller) {
    const [{ sessionCard }, { locateSession }] = await Promise.all([
      import('../../app/sessions/session-card.ts'),
      import('../../app/sessions/locate-session.ts'),
    ]);
    const filter = await filterOf(open, given, caller);
    const page = await (await open.store()).list(filter, limit, cursor);
    const cards = page.sessions.map((session) => ({
      ...sessionCard(session, locateSession(open, session)),
    }));
    return { sessions: cards, cursor: page.cursor };
  },
});
