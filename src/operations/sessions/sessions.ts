import { locateSession } from '../../app/sessions/locate-session.ts';
import { toSessionCard } from '../../app/sessions/session-card.ts';
import { tellApart } from '../../domain/session/tell-apart.ts';
import type { Caller } from '../caller.ts';
import { count, type Input, text } from '../fields.ts';
import { filterOf, filters } from '../filters.ts';
import type { Open } from '../open.ts';
import { operation } from '../operation.ts';

const fields = {
  limit: count({ about: 'maximum number of sessions, newest first', max: 1000, default: 20, alias: 'n' }),
  cursor: text({ about: 'continue from the cursor of an earlier list', min: 1, max: 1000 }),
  ...filters,
};

export const sessions = operation({
  summary: 'list recent sessions',
  effect: 'reads',
  fields,
  async run(open, input, caller) {
    const { found, cursor } = await sessionPage(open, input, caller);
    return { sessions: found.map(({ session, location }) => toSessionCard(session, location)), cursor };
  },
});

/** The sessions themselves, with where they are. */
export async function sessionPage(
  open: Open,
  { limit, cursor, ...given }: Input<typeof fields>,
  caller: Caller,
) {
  const filter = await filterOf(open, given, caller);
  const page = await (await open.store()).list(filter, limit, cursor);
  const found = tellApart(page.sessions).map((session) => ({
    session,
    location: locateSession(open, session),
  }));
  return { found, cursor: page.cursor };
}
