import * as z from 'zod';
import { findSession } from '../../app/sessions/find-session.ts';
import { sessionView } from '../../domain/json/conversation.ts';
import { markedSession, sessionList } from '../../domain/json/session.ts';
import { LONGEST_NOTE, plainTag, readMarks } from '../../domain/tags/marks.ts';
import { note } from '../../operations/marks/note.ts';
import { star } from '../../operations/marks/star.ts';
import { tag } from '../../operations/marks/tag.ts';
import { perform } from '../../operations/operation.ts';
import { session } from '../../operations/sessions/session.ts';
import { sessions } from '../../operations/sessions/sessions.ts';
import { openStore } from '../context.ts';
import { callerOf, operationRoute, operationsOf } from '../operation-route.ts';
import { defineRoute } from '../route.ts';
import { sessionParams } from '../schemas/inputs.ts';
import { namesOf, namesShape, parentsOf } from '../short-ids.ts';

export const listSessions = operationRoute({
  operation: sessions,
  method: 'get',
  path: '/api/v1/sessions',
  tag: 'sessions',
  // A page of the list.
  defaults: { limit: 50 },
  output: sessionList.extend(namesShape),
  answer: async (page, open) => ({ ...page, ...(await namesOf(open, parentsOf(page.sessions))) }),
});

const describing = {
  operation: session,
  method: 'get',
  output: sessionView.extend(namesShape),
  answer: async (found: Awaited<ReturnType<typeof session.run>>, open: Parameters<typeof namesOf>[0]) => {
    const { session_id, parent, continued_in } = found.session;
    const ids = [session_id, parent?.session_id ?? [], continued_in ?? []].flat();
    return { ...found, ...(await namesOf(open, ids)) };
  },
} as const;

export const getSession = operationRoute({ ...describing, path: '/api/v1/sessions/{id}', tag: 'sessions' });

/** Listed in the requirements document. */
export const getNamedSession = operationRoute({
  ...describing,
  path: '/sessions/{id}',
  summary: 'As /api/v1/sessions/{id}',
  tag: 'requirements',
});

/** Sets all tags at once: those that are not among them are removed. */
export const setTags = defineRoute({
  method: 'put',
  path: '/api/v1/sessions/{id}/tags',
  summary: 'Set the tags of a session',
  tag: 'sessions',
  params: sessionParams,
  body: z.strictObject({ tags: z.array(z.string().min(1).max(60)).max(50) }),
  output: z.object({ session_id: z.string(), tags: z.array(z.string()) }),
  async run({ params: { id }, body: { tags: add } }, open) {
    const { tags } = readMarks((await findSession(await openStore(open), id)).tags);
    const remove = tags.filter((one) => !add.map(plainTag).includes(one));
    return perform(tag, operationsOf(open), { id, add, remove }, callerOf());
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
  run: ({ params: { id }, body: { text } }, open) =>
    perform(note, operationsOf(open), { id, text }, callerOf()),
});

export const setStar = defineRoute({
  method: 'put',
  path: '/api/v1/sessions/{id}/star',
  summary: 'Star a session, or remove its star',
  tag: 'sessions',
  params: sessionParams,
  body: z.strictObject({ starred: z.boolean() }),
  output: markedSession,
  async run({ params: { id }, body: { starred } }, open) {
    const given = { ids: [id], remove: !starred };
    const { sessions: marked } = await perform(star, operationsOf(open), given, callerOf());
    const [only] = marked;
    if (only === undefined) throw new Error('no session was starred');
    return only;
  },
});
