import * as z from 'zod';
import { countTurns } from '../../app/read/turns/turn-reader.ts';
import { longerOn } from '../../app/read/view-session.ts';
import { readFilter } from '../../app/search/read-filter.ts';
import { locateSession } from '../../app/sessions/locate-session.ts';
import { noteSession, starSession } from '../../app/sessions/mark-session.ts';
import { sessionCard } from '../../app/sessions/session-card.ts';
import { tagSession } from '../../app/sessions/tag-session.ts';
import { sendChanges } from '../../compose/parts.ts';
import { sessionView } from '../../domain/json/conversation.ts';
import { markedSession, sessionList } from '../../domain/json/session.ts';
import { shownRecord } from '../../domain/json/shown-record.ts';
import { LONGEST_NOTE, readMarks } from '../../domain/tags/marks.ts';
import { type Open, openSession, openStore } from '../context.ts';
import { defineRoute } from '../route.ts';
import { sessionParams, sessionsQuery } from '../schemas/inputs.ts';
import { shortIdsOf, shortIdsShape } from '../short-ids.ts';

export const describedSession = sessionView.extend(shortIdsShape);

export const listSessions = defineRoute({
  method: 'get',
  path: '/api/v1/sessions',
  summary: 'Sessions, newest first',
  tag: 'sessions',
  query: sessionsQuery,
  output: sessionList,
  async run({ query: { cursor, limit, ...filters } }, open) {
    const store = await openStore(open);
    const page = await store.list(await readFilter(filters, open.parts), limit, cursor);
    const sessions = page.sessions.map((session) => sessionCard(session, locateSession(open.parts, session)));
    return { sessions, cursor: page.cursor };
  },
});

export async function describeSession(id: string, open: Open) {
  const { session, deps } = await openSession(open, id);
  const location = locateSession(deps, session);
  return {
    session: shownRecord(session),
    local: location.transcript !== null,
    restorable: location.restorable,
    longer_on: longerOn(deps, session, location),
    resume: location.resume,
    fork: location.canFork ? location.command : null,
    turn_count: await countTurns(deps, session),
    subagents: session.subagents ?? [],
    ...(await shortIdsOf(open, [session.session_id, ...(session.parent ? [session.parent.session_id] : [])])),
  };
}

export const getSession = defineRoute({
  method: 'get',
  path: '/api/v1/sessions/{id}',
  summary: 'A session, and the commands that continue it',
  tag: 'sessions',
  params: sessionParams,
  output: describedSession,
  run: ({ params }, open) => describeSession(params.id, open),
});

export const setTags = defineRoute({
  method: 'put',
  path: '/api/v1/sessions/{id}/tags',
  summary: 'Set the tags of a session',
  tag: 'sessions',
  params: sessionParams,
  body: z.strictObject({ tags: z.array(z.string().min(1).max(60)).max(50) }),
  output: z.object({ session_id: z.string(), tags: z.array(z.string()) }),
  async run({ params, body }, open) {
    const { session, deps } = await openSession(open, params.id);
    const remove = readMarks(session.tags).tags.filter((tag) => !body.tags.includes(tag));
    const tagged = await tagSession(deps.store, session.session_id, { add: body.tags, remove });
    // If the server does not answer now, the worker sends it later.
    await sendChanges(open.parts, { now: true });
    return tagged;
  },
});

export const setNote = defineRoute({
  method: 'put',
  path: '/api/v1/sessions/{id}/note',
  summary: 'Write or remove the note on a session',
  tag: 'sessions',
  params: sessionParams,
  body: z.strictObject({
    text: z.string().max(4000).describe(`at most ${LONGEST_NOTE} characters; "" removes the note`),
  }),
  output: markedSession,
  async run({ params, body }, open) {
    const store = await openStore(open);
    const noted = await noteSession({ ...open.parts, store }, params.id, body.text);
    await sendChanges(open.parts, { now: true });
    return noted;
  },
});

export const setStar = defineRoute({
  method: 'put',
  path: '/api/v1/sessions/{id}/star',
  summary: 'Star a session, or remove its star',
  tag: 'sessions',
  params: sessionParams,
  body: z.strictObject({ starred: z.boolean() }),
  output: markedSession,
  async run({ params, body }, open) {
    const starred = await starSession(await openStore(open), params.id, body.starred);
    await sendChanges(open.parts, { now: true });
    return starred;
  },
});
