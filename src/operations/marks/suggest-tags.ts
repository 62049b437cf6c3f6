import { findSession } from '../../app/sessions/find-session.ts';
import { suggestTags as suggest } from '../../app/tags/suggest-tags.ts';
import { sessionId } from '../fields.ts';
import { operation } from '../operation.ts';

export const suggestTags = operation({
  summary: 'suggest tags for a session without adding any',
  effect: 'reads',
  fields: { id: sessionId },
  async run(open, { id }) {
    const store = await open.store();
    const session = await findSession(store, id);
    return { session_id: session.session_id, suggested: await suggest(store, session) };
  },
});
