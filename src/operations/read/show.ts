import { viewSession } from '../../app/read/view-session.ts';
import { findSession } from '../../app/sessions/find-session.ts';
import { sessionId } from '../fields.ts';
import { operation } from '../operation.ts';

export const show = operation({
  summary: 'show a session and its turns',
  effect: 'reads',
  fields: { id: sessionId },
  async run(open, { id }) {
    const store = await open.store();
    return viewSession({ ...open, store }, await findSession(store, id));
  },
});
