import { locateSession } from '../../app/sessions/locate-session.ts';
import { toSessionCard } from '../../app/sessions/session-card.ts';
import type { SessionPayload } from '../../domain/point/point.ts';
import type { SessionFilter } from '../../domain/search/search.ts';
import { tellApart } from '../../domain/session/tell-apart.ts';
import type { SessionTokens } from '../../domain/usage/usage-report.ts';
import { eachSession } from '../../ports/point-store.ts';
import type { Caller } from '../caller.ts';
import { choice, count, type Input, text } from '../fields.ts';
import { filterOf, filters } from '../filters.ts';
import type { Open } from '../open.ts';
import { operation } from '../operation.ts';

const fields = {
  sort: choice(['date', 'cost'], {
    about: 'order: by date, newest first (default), or by cost, the dearest first',
  }),
  limit: count({ about: 'maximum number of sessions', max: 1000, default: 20, alias: 'n' }),
  cursor: text({ about: 'continue from the cursor of an earlier list', min: 1, max: 1000 }),
  ...filters,
};

export const sessions = operation({
  summary: 'list recent sessions',
  effect: 'reads',
  fields,
  async run(open, input, caller) {
    const { found, cursor, costs } = await sessionPage(open, input, caller);
    const sessions = found.map(({ session, location }) => ({
      ...toSessionCard(session, location),
      cost: costs.get(session.session_id)?.cost,
      unpriced_requests: costs.get(session.session_id)?.unpriced_requests,
      partial_requests: costs.get(session.session_id)?.partial_requests,
    }));
    return { sessions, cursor };
  },
  isEmpty: ({ sessions: listed }) => listed.length === 0,
});

/** The sessions themselves, with where they are. */
export async function sessionPage(
  open: Open,
  { sort, limit, cursor, ...given }: Input<typeof fields>,
  caller: Caller,
) {
  const filter = await filterOf(open, given, caller);
  const page =
    sort === 'cost' ? await dearest(open, filter, limit) : await newest(open, filter, limit, cursor);
  const found = tellApart(page.sessions).map((session) => ({
    session,
    location: locateSession(open, session),
  }));
  return { found, cursor: page.cursor, costs: page.costs };
}

async function newest(open: Open, filter: SessionFilter, limit: number, cursor?: string) {
  const page = await (await open.store()).list(filter, limit, cursor);
  return { ...page, costs: new Map<string, SessionTokens>() };
}

/** A list by cost has no cursor: a larger limit shows more. Sessions of unknown cost come last. */
async function dearest(open: Open, filter: SessionFilter, limit: number) {
  const costs = await open.reports.usageBySession();
  const cost = ({ session_id }: SessionPayload) => costs.get(session_id)?.cost ?? -1;
  const sessions: SessionPayload[] = [];
  for await (const session of eachSession(await open.store(), filter)) sessions.push(session);
  sessions.sort((one, other) => cost(other) - cost(one));
  return { sessions: sessions.slice(0, limit), cursor: null, costs };
}
